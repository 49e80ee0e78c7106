// Validation by the part of JSON Schema that game.schema.json uses.

import { readFileSync } from "node:fs";

const ROOT = JSON.parse(
  readFileSync(new URL("../../schemas/game.schema.json", import.meta.url), "utf8"),
);

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const TYPES = {
  object: isObject,
  array: Array.isArray,
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  integer: Number.isInteger,
};
const patterns = new Map();

function matches(pattern, text) {
  if (!patterns.has(pattern)) patterns.set(pattern, new RegExp(pattern, "u"));
  return patterns.get(pattern).test(text);
}

/** What each keyword asks of a value; it is true of values of another type. */
const KEYWORDS = {
  $ref: (name, value) => valid(ROOT.$defs[name.replace("#/$defs/", "")], value),
  type: (type, value) => TYPES[type](value),
  const: (wanted, value) => value === wanted,
  enum: (wanted, value) => wanted.includes(value),
  not: (schema, value) => !valid(schema, value),
  allOf: (schemas, value) => schemas.every((schema) => valid(schema, value)),
  if: (condition, value, { then = {}, else: otherwise = {} }) =>
    valid(valid(condition, value) ? then : otherwise, value),
  required: (names, value) =>
    !isObject(value) || names.every((name) => Object.hasOwn(value, name)),
  properties: (schemas, value) =>
    !isObject(value) ||
    Object.keys(schemas).every(
      (name) => !Object.hasOwn(value, name) || valid(schemas[name], value[name]),
    ),
  additionalProperties: (allowed, value, { properties = {} }) =>
    allowed || !isObject(value) ||
    Object.keys(value).every((name) => Object.hasOwn(properties, name)),
  items: (schema, value) => !Array.isArray(value) || value.every((item) => valid(schema, item)),
  minItems: (count, value) => !Array.isArray(value) || value.length >= count,
  minimum: (least, value) => typeof value !== "number" || value >= least,
  maximum: (most, value) => typeof value !== "number" || value <= most,
  maxLength: (most, value) => typeof value !== "string" || [...value].length <= most,
  pattern: (pattern, value) => typeof value !== "string" || matches(pattern, value),
};

/** Whether a value of JSON is as a schema says. */
function valid(schema, value) {
  return Object.keys(schema).every(
    (keyword) => !KEYWORDS[keyword] || KEYWORDS[keyword](schema[keyword], value, schema),
  );
}

/** Whether a value of JSON is a file of games, or a game. */
export const isRecord = (value) => valid(ROOT, value);
