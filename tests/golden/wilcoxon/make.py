"""Makes cases.json: samples of differences and what SciPy's signed-rank test says of them.

Zeros are dropped; the test is exact up to 25 differences without ties, else asymptotic without continuity
correction. Made with scipy==1.17.1:

    python make.py
"""

import json
import pathlib
import random

import numpy
from scipy import stats

rng = random.Random(1945)


def case(name, differences):
    left = numpy.array([d for d in differences if d != 0])
    n = len(left)
    sizes = abs(left)
    exact = n <= 25 and len(set(sizes)) == n
    ranks = stats.rankdata(sizes)
    p = 1.0  # nothing is left: no evidence of a difference
    if n > 0:
        method = "exact" if exact else "asymptotic"
        p = float(stats.wilcoxon(left, zero_method="wilcox", correction=False, method=method).pvalue)
    return {
        "name": name,
        "differences": differences,
        "n": n,
        "above": float(ranks[left > 0].sum()) if n else 0.0,
        "below": float(ranks[left < 0].sum()) if n else 0.0,
        "p": p,
        "exact": exact,
    }


def distinct(n, shift):
    return [round(rng.gauss(shift, 0.2), 6) for _ in range(n)]


def tied(n, shift):
    return [rng.choice([-0.3, -0.2, -0.1, 0, 0, 0.1, 0.2, 0.3]) if rng.random() > shift else 0.1 for _ in range(n)]


cases = [
    case("all zero", [0.0] * 7),
    case("nothing", []),
    case("one", [0.25]),
    case("two of one size", [0.5, -0.5]),
    case("all better, of one size", [0.1] * 6),
    case("all better", [0.01 * i for i in range(1, 26)]),
    case("all worse, too many to be exact", [-0.01 * i for i in range(1, 27)]),
    case("balanced", [1.0, -2.0, 3.0, -4.0, 5.0, -6.0, 7.0, -8.0]),
    case("exactly in the middle", [1.0, -2.0, -3.0, 4.0]),
]
for n in (3, 5, 10, 17, 24, 25, 26, 40, 50):
    cases.append(case(f"{n} distinct", distinct(n, 0.05)))
    cases.append(case(f"{n} distinct among zeros", distinct(n, -0.1) + [0.0] * (n // 2)))
for n in (4, 12, 20, 60, 300):
    cases.append(case(f"{n} with ties and zeros", tied(n, 0.0)))
    cases.append(case(f"{n} with ties, shifted", tied(n, 0.3)))
cases.append(case("1000 distinct", distinct(1000, 0.02)))
cases.append(case("a very small p", distinct(400, 0.5)))

path = pathlib.Path(__file__).parent / "cases.json"
path.write_text("[\n" + ",\n".join(json.dumps(c) for c in cases) + "\n]\n")
