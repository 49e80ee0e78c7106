// Answers the conformance suite: `python tests/conformance/run.py -- node tests/javascript/conform.mjs`

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

import { canonical, format, fromJson } from "./canonical.mjs";
import { read } from "./reader.mjs";
import { replay, rulesOf } from "./replay.mjs";

const profiles = JSON.parse(readFileSync(new URL("../conformance/profiles.json", import.meta.url), "utf-8"));
const drawCount = (game) => Number(rulesOf(game, profiles)?.["draw.count"] ?? 1);

const LEVELS = {
  reader: (text) => {
    const { errors } = read(text);
    return { first_error: errors[0]?.[0] ?? null, errors };
  },
  canonical: (text) => {
    const { games, errors } = read(text);
    return { text: errors.length ? null : format(games, drawCount) };
  },
  json: (text) => {
    if (text.startsWith("{")) return { text: fromJson(text, drawCount) };
    const { games, errors } = read(text);
    return { json: errors.length ? null : { cgn: 1, games: games.map(canonical) } };
  },
  replay: (text) => {
    const { games } = read(text);
    const states = games.flatMap((game) => replay(game, rulesOf(game, profiles)));
    return { states, ends: states.map((deal) => deal.at(-1)) };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, level, text } = JSON.parse(line);
  const answer = LEVELS[level];
  const value = !id
    ? { name: "JavaScript reader", cgn: "1" }
    : answer
      ? { id, result: answer(text) }
      : { id, skipped: "it reads and replays, but does not judge" };
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
