// Comfort on top of pages that work without it: keys, lines that light up, judging without reloading.
'use strict';

const results = () => [...document.querySelectorAll('.result')];
let current = -1;

function move(by) {
  const all = results();
  if (!all.length) return;
  current = Math.min(Math.max(current + by, 0), all.length - 1);
  all.forEach((result, at) => result.classList.toggle('current', at === current));
  const link = all[current].querySelector('a');
  if (link) link.focus({ preventScroll: true });
  all[current].scrollIntoView({ block: 'nearest' });
}

function judgeCurrent(grade) {
  const result = results()[current];
  const button = result && result.querySelector(`.judge button[data-grade="${grade}"]`);
  if (button) button.click();
}

document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const typing = event.target.closest('input, select, textarea');
  if (typing) {
    if (event.key === 'Escape') event.target.blur();
    return;
  }
  const actions = {
    '/': () => { const box = document.getElementById('q'); if (box) { box.focus(); box.select(); } },
    j: () => move(1),
    k: () => move(-1),
    r: () => judgeCurrent('1'),
    n: () => judgeCurrent('0'),
  };
  const action = actions[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
});

// A document lights up in both rankings, and its line with it.
const sides = document.querySelector('.sides');
function light(result, on) {
  for (const twin of sides.querySelectorAll('.result')) {
    if (twin.dataset.id === result.dataset.id) twin.classList.toggle('lit', on);
  }
  for (const line of sides.querySelectorAll('.lines path')) {
    const left = result.dataset.left && line.dataset.left === result.dataset.left;
    const right = result.dataset.right && line.dataset.right === result.dataset.right;
    if (left || right) line.classList.toggle('lit', on);
  }
  sides.classList.toggle('lighting', on);
}
if (sides) {
  for (const result of sides.querySelectorAll('.result')) {
    for (const [name, on] of [['mouseenter', true], ['mouseleave', false], ['focusin', true], ['focusout', false]]) {
      result.addEventListener(name, () => light(result, on));
    }
  }
}

// Judging without reloading. Without it, the forms do the same.
function show(id, grade) {
  for (const form of document.querySelectorAll('.judge')) {
    if (form.dataset.id !== id) continue;
    for (const button of form.querySelectorAll('button')) {
      const pressed = grade !== null && button.dataset.grade === String(grade);
      button.setAttribute('aria-pressed', String(pressed));
      button.value = pressed ? '' : button.dataset.grade;
    }
    const result = form.closest('.result');
    result.classList.toggle('relevant', grade === 1);
    result.classList.toggle('not-relevant', grade === 0);
  }
}

document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (!form.matches('.judge') || !event.submitter) return;
  event.preventDefault();
  const value = event.submitter.value;
  const grade = value === '' ? null : Number(value);
  const judgement = { query: form.elements.q.value, id: form.elements.id.value, grade };
  try {
    const answer = await fetch('/api/judge', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(judgement),
    });
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.error);
    show(form.dataset.id, said.grade);
  } catch (error) {
    const status = document.querySelector('.state');
    if (status) status.textContent = `Not judged: ${error.message}`;
  }
});

// A choice takes effect at once where something was asked already.
for (const select of document.querySelectorAll('.choices select')) {
  select.addEventListener('change', () => {
    if (document.getElementById('q').value.trim()) select.form.requestSubmit();
  });
}
