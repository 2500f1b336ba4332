"""Makes run1.txt, run2.txt, qrels.txt and expected.json: random runs full of ties, and what trec_eval says.

Per-query values come from pytrec_eval (trec_eval's own code), means from ir_measures, which averages over
every judged query as `trec_eval -c` does. Run in an environment with
pytrec-eval-terrier==0.5.11 and ir-measures==0.4.3:

    python make.py
"""

import json
import pathlib
import random
import struct

import ir_measures
import pytrec_eval

HERE = pathlib.Path(__file__).parent
MEASURES = {  # our name: (trec_eval's, ir_measures')
    "P@1": ("P_1", "P@1"),
    "P@5": ("P_5", "P@5"),
    "P@10": ("P_10", "P@10"),
    "P@20": ("P_20", "P@20"),
    "MAP": ("map", "AP"),
    "MRR": ("recip_rank", "RR"),
    "nDCG@3": ("ndcg_cut_3", "nDCG@3"),
    "nDCG@10": ("ndcg_cut_10", "nDCG@10"),
    "nDCG@100": ("ndcg_cut_100", "nDCG@100"),
    "recall@5": ("recall_5", "R@5"),
    "recall@100": ("recall_100", "R@100"),
    "bpref": ("bpref", "Bpref"),
    "success@1": ("success_1", "Success@1"),
    "success@5": ("success_5", "Success@5"),
}

rng = random.Random(20)
docs = [f"{rng.choice(['d', 'D', 'doc-', 'é', 'http://x.example/'])}{i}" for i in range(60)]


def score(kind):
    if kind == "ties":  # few distinct values
        return rng.choice(["3", "2.5", "2.50", "1e0", "0", "-0", "-1.5"])
    if kind == "double":  # distinct as doubles, mostly equal as floats
        return repr(1 + rng.randrange(20) * 1e-9 + rng.randrange(3) * 1e-6)
    single = struct.unpack("f", struct.pack("f", rng.uniform(0, 20)))[0]
    return f"{single:.7g}"


def write_run(name, queries):
    lines = []
    for query in queries:
        kind = rng.choice(["ties", "ties", "double", "single"])
        found = rng.sample(docs, rng.choice([1, 4, 12, 30, 45]))
        lines += [f"{query} Q0 {doc} 0 {score(kind)} {name}" for doc in found]
    rng.shuffle(lines)  # neither queries nor ranks are in order
    (HERE / f"{name}.txt").write_text("\n".join(lines) + "\n")


def write_qrels(queries):
    lines = []
    for query in queries:
        # Grades: binary, graded, with unjudged members of the pool, none relevant, all relevant.
        grades = rng.choice([[0, 1], [0, 1, 2, 4], [-2, -1, 0, 0, 1, 3], [0], [1, 2]])
        judged = rng.sample(docs, rng.choice([1, 5, 20, 35]))
        # trec_eval needs one grade that is not negative.
        drawn = [rng.choice(grades) for _ in judged[1:]] + [rng.choice([g for g in grades if g >= 0])]
        lines += [f"{query} 0 {doc} {grade}" for doc, grade in zip(judged, drawn)]
    (HERE / "qrels.txt").write_text("\n".join(lines) + "\n")


def expected(name):
    with open(HERE / "qrels.txt") as file:
        qrels = pytrec_eval.parse_qrel(file)
    with open(HERE / f"{name}.txt") as file:
        run = pytrec_eval.parse_run(file)
    wanted = {".".join(trec.rsplit("_", 1)) if trec[-1].isdigit() else trec for trec, _ in MEASURES.values()}
    values = pytrec_eval.RelevanceEvaluator(qrels, wanted).evaluate(run)
    queries = {query: {our: values[query][trec] for our, (trec, _) in MEASURES.items()} for query in sorted(values)}
    answered = {our: sum(q[our] for q in queries.values()) / len(queries) for our in MEASURES}
    parsed = {our: ir_measures.parse_measure(theirs) for our, (_, theirs) in MEASURES.items()}
    means = ir_measures.calc_aggregate(parsed.values(), qrels, run)
    return {
        "queries": queries,
        "mean_of_answered": answered,
        "mean": {our: means[measure] for our, measure in parsed.items()},
    }


judged = [str(451 + i) for i in range(30)]
write_qrels(judged)
write_run("run1", judged + ["900", "901"])  # two queries without judgements
write_run("run2", [q for q in judged if rng.random() < 0.8])  # some queries not answered
answer = {name: expected(name) for name in ("run1", "run2")}
(HERE / "expected.json").write_text(json.dumps(answer, indent=1) + "\n")
