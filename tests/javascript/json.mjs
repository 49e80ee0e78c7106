// The JSON form: from the text of a record, and back.

import { canonical, write } from "./canonical.mjs";
import { read } from "./reader.mjs";
import { isRecord } from "./schema.mjs";

/** The games of a record in canonical order, or null if its text has an error. */
export function gamesOf(text) {
  const { games, errors } = read(text);
  return errors.length ? null : games.map(canonical);
}

/** The JSON form of a record, or null if its text has an error. */
export function toJson(text) {
  const games = gamesOf(text);
  return games && { cgn: 1, games };
}

/** The canonical text of a record; null if the record has an error, or no text that can be read. */
export function toCanonical(text) {
  const games = gamesOf(text);
  const canonicalText = games && write(games);
  // A line that was as long as it may be can be longer in its canonical form.
  return games && gamesOf(canonicalText) && canonicalText;
}

/** The canonical text of a JSON form, or null if the schema refuses it or it has no text. */
export function fromJson(source) {
  const value = parsed(source);
  if (!isRecord(value)) return null;
  const games = ("games" in value ? value.games : [value]).map(canonical);
  const text = write(games);
  const again = gamesOf(text);
  return again && spelled(again) === spelled(games) ? text : null;
}

function parsed(source) {
  try {
    return JSON.parse(source);
  } catch {
    return null;
  }
}

/** A text that is the same for two values of JSON that say the same. */
function spelled(value) {
  return JSON.stringify(value, (name, part) => {
    if (name === "comment") return trimmed(part);
    if (name === "before" || name === "comments") return part.map(trimmed);
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.keys(part).sort().map((key) => [key, part[key]]));
  });
}

/** A comment as the text keeps it. */
const trimmed = (text) => text.replace(/[ \t]+$/, "");
