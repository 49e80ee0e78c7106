// Answers the conformance suite: see tests/conformance/README.md.
// Run it with: python tests/conformance/run.py --level reader -- node tests/javascript/conform.mjs

import { fromJson, gamesOf, toCanonical, toJson } from "./json.mjs";
import { read } from "./reader.mjs";
import { Undecided, referee } from "./referee.mjs";
import { replay } from "./replay.mjs";

function readerResult(text) {
  const { errors } = read(text);
  const pairs = errors.map(({ line, code }) => [line, code]);
  return { first_error: errors[0]?.line ?? null, errors: pairs };
}

function jsonResult(text) {
  return text.startsWith("{") ? { text: fromJson(text) } : { json: toJson(text) };
}

function replayResult(text) {
  const games = gamesOf(text);
  const deals = games && games.map(replay);
  if (!deals || deals.includes(null)) return { states: null, ends: null };
  const states = deals.flat();
  return { states, ends: states.map((tables) => tables.at(-1)) };
}

const LEVELS = {
  reader: readerResult,
  canonical: (text) => ({ text: toCanonical(text) }),
  json: jsonResult,
  replay: replayResult,
  referee,
};

/** The answer to a request: the greeting, or a case. */
function answer({ suite, id, level, text }) {
  if (suite !== undefined) return { name: "canasta-js 0.1", cgn: "1" };
  const work = LEVELS[level];
  if (!work) return { id, skipped: `no level ${level}` };
  try {
    return { id, result: work(text) };
  } catch (error) {
    if (error instanceof Undecided) return { id, skipped: "undecided" };
    throw error;
  }
}

/** Answer each line of the standard input. Only LF ends a line. */
async function main() {
  let rest = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    const answers = lines.map((line) => `${JSON.stringify(answer(JSON.parse(line)))}\n`);
    process.stdout.write(answers.join(""));
  }
}

await main();
