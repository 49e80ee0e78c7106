"use strict";
const held = JSON.parse(document.getElementById("held").textContent);
const { parameters: w, texts } = held;
const KEY = "canasta-learn";
const DAY = 86_400_000;
const [AGAIN, GOOD, EASY] = [1, 3, 4];
const main = document.querySelector("main");
let cards = {};
// Whether the browser holds progress that this page cannot read, and so must not overwrite.
let foreign = false;
let current = null;

function el(name, values = {}, ...children) {
  const made = Object.assign(document.createElement(name), values);
  made.append(...children.filter(Boolean));
  return made;
}

// --- what is due: the formulas of FSRS, without steps of minutes ----------------------------------

const clamp = (value, least, most) => Math.min(Math.max(value, least), most);
const decay = -w[20];
const factor = 0.9 ** (1 / decay) - 1;
const firstDifficulty = (rating) => w[4] - Math.exp(w[5] * (rating - 1)) + 1;

function nextDifficulty(difficulty, rating) {
  const damped = difficulty + (10 - difficulty) * (-w[6] * (rating - 3)) / 9;
  return clamp(w[7] * firstDifficulty(EASY) + (1 - w[7]) * damped, 1, 10);
}

function nextStability({ stability, difficulty }, days, rating) {
  if (days < 1) {
    const grown = Math.exp(w[17] * (rating - 3 + w[18])) * stability ** -w[19];
    return stability * (rating === GOOD ? Math.max(grown, 1) : grown);
  }
  const forgotten = 1 - (1 + factor * days / stability) ** decay;
  if (rating === AGAIN) {
    const long = w[11] * difficulty ** -w[12] * ((stability + 1) ** w[13] - 1) * Math.exp(forgotten * w[14]);
    return Math.min(long, stability / Math.exp(w[17] * w[18]));
  }
  return stability * (1 + Math.exp(w[8]) * (11 - difficulty) * stability ** -w[9] * (Math.exp(forgotten * w[10]) - 1));
}

function reviewed(card, right, now) {
  const rating = right ? GOOD : AGAIN;
  const days = card && Math.max(Math.floor((now - new Date(card.last_review)) / DAY), 0);
  const stability = Math.max(card ? nextStability(card, days, rating) : w[rating - 1], 0.001);
  const difficulty = card ? nextDifficulty(card.difficulty, rating) : clamp(firstDifficulty(rating), 1, 10);
  const wait = clamp(Math.round(stability / factor * (held.retention ** (1 / decay) - 1)), 1, held.longest);
  return { stability, difficulty, due: new Date(+now + wait * DAY).toISOString(), last_review: now.toISOString() };
}

// Those that were answered before come first, then the new ones.
function due(now) {
  const known = held.exercises.filter(({ id }) => cards[id] && new Date(cards[id].due) <= now);
  known.sort((a, b) => new Date(cards[a.id].due) - new Date(cards[b.id].due));
  return [...known, ...held.exercises.filter(({ id }) => !cards[id])];
}

// --- the progress ---------------------------------------------------------------------------------

const progress = () => JSON.stringify({ format: held.format, version: held.version, cards }, null, 1);

// Returns the cards of a text. Throws an error if it is not progress of this version.
function cardsOf(text) {
  const read = JSON.parse(text);
  const isCard = (card) => card.stability > 0 && card.difficulty > 0 && [card.due, card.last_review].every((date) => !Number.isNaN(Date.parse(date)));
  if (read.format !== held.format || read.version !== held.version || !Object.values(read.cards).every(isCard)) {
    throw new Error(texts.learn_bad_file);
  }
  return read.cards;
}

function keep() {
  if (foreign) return;
  try {
    localStorage.setItem(KEY, progress());
  } catch {
    tell(texts.learn_not_kept);
  }
}

function restore() {
  let stored = null;
  try {
    stored = localStorage.getItem(KEY);
  } catch {
    tell(texts.learn_not_kept);
  }
  if (stored === null) return;
  try {
    cards = cardsOf(stored);
  } catch {
    foreign = true;
    tell(texts.learn_bad_file);
  }
}

function save() {
  const url = URL.createObjectURL(new Blob([progress()], { type: "application/json" }));
  el("a", { href: url, download: ".canasta-learn.json" }).click();
  setTimeout(() => URL.revokeObjectURL(url), DAY / 1440);
}

async function load(input) {
  const [file] = input.files;
  if (!file) return;
  try {
    const loaded = cardsOf(await file.text());
    for (const [id, card] of Object.entries(loaded)) {
      if (!cards[id] || new Date(cards[id].last_review) < new Date(card.last_review)) cards[id] = card;
    }
    tell("");
    keep();
    begin(due(new Date()));
  } catch {
    tell(texts.learn_bad_file);
  }
  input.value = "";
}

// --- what is shown --------------------------------------------------------------------------------

const said = el("p", { role: "status", id: "said" });
const tell = (text) => { said.textContent = text; };

function begin(queue) {
  const [exercise, ...rest] = queue;
  if (!exercise) {
    current = null;
    main.replaceChildren(el("p", { textContent: texts.learn_done }),
      el("button", { id: "all", textContent: texts.learn_all, onclick: () => begin(held.exercises) }));
    return;
  }
  const back = el("section", { id: "back" });
  const buttons = exercise.answers.map((answer, at) => el("button", {
    textContent: `${at + 1}  ${answer.text}`, onclick: () => choose(at) }));
  current = { exercise, rest, back, buttons, done: false };
  main.replaceChildren(
    el("p", { textContent: exercise.seen }),
    el("img", { src: exercise.picture, alt: exercise.seen }),
    el("p", { id: "scores" }, ...exercise.scores.flatMap((line) => [line, el("br")])),
    el("h2", { textContent: exercise.question, tabIndex: -1 }),
    el("ol", {}, ...buttons.map((button) => el("li", {}, button))),
    back);
  scrollTo(0, 0);
  main.querySelector("h2").focus({ preventScroll: true });
}

function choose(at) {
  if (!current || current.done) return;
  const { exercise, back, buttons, rest } = current;
  const { right } = exercise.answers[at];
  current.done = true;
  buttons.forEach((button) => { button.disabled = true; });
  buttons[at].setAttribute("aria-pressed", "true");
  cards[exercise.id] = reviewed(cards[exercise.id], right, new Date());
  keep();
  const rows = [...exercise.answers].sort((a, b) => b.value - a.value).map((answer) => el("tr", {},
    ...[...answer.worth, answer.text, answer.played ? texts.fig_played : ""].map((textContent) => el("td", { textContent }))));
  const heads = [texts.fig_worth, texts.fig_error, texts.fig_play, ""].map((textContent) => el("th", { textContent }));
  const next = el("button", { id: "next", textContent: texts.next_question, onclick: () => begin(rest) });
  back.replaceChildren(
    el("p", { role: "status" }, el("b", { textContent: right ? texts.learn_right : texts.learn_wrong })),
    el("table", {}, el("tr", {}, ...heads), ...rows),
    el("p", { textContent: exercise.reason }),
    el("h2", { textContent: texts.learn_went_on }),
    el("p", {}, ...exercise.followed.flatMap((line) => [line, el("br")])),
    el("p", {}, el("small", { textContent: `${exercise.kind}. ${exercise.place}` })),
    next);
  back.scrollIntoView();
  next.focus({ preventScroll: true });
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !current) return;
  const at = Number(event.key) - 1;
  if (current.exercise.answers[at]) choose(at);
});

const file = el("input", { type: "file", accept: ".json", onchange: () => load(file) });
document.querySelector("footer").append(said,
  el("button", { id: "save", textContent: texts.learn_save, onclick: save }),
  el("label", {}, texts.learn_load, file));
restore();
begin(due(new Date()));
