// A picture of a game's scores, to send to a friend.
import { hand } from "./links.js";

const WIDTH = 1080;
const MARGIN = 60;
const LINE = 74;
const COLOURS = { paper: "#f3efe6", ink: "#20261f", soft: "#565d52", line: "#b9b09c" };

// A text that fits a width: it is cut off with three dots if it is longer.
function fitted(pen, text, width) {
  if (pen.measureText(text).width <= width) return text;
  let kept = [...text];
  while (kept.length && pen.measureText(`${kept.join("")}…`).width > width) kept = kept.slice(0, -1);
  return `${kept.join("")}…`;
}

// Shares the scores: a title, the names of the sides, rows of a label and points, and the outcome.
export async function sharePicture({ title, sides, rows, outcome }, name) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = MARGIN * 2 + LINE * (rows.length + 4);
  const pen = canvas.getContext("2d");
  pen.fillStyle = COLOURS.paper;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.textBaseline = "middle";
  const width = (WIDTH - 2 * MARGIN) / (sides.length + 1);
  const line = (at, cells, { font, colour = COLOURS.ink }) => {
    pen.font = `${font} system-ui, "DejaVu Sans", sans-serif`;
    pen.fillStyle = colour;
    cells.forEach((text, column) => {
      pen.textAlign = column ? "right" : "left";
      const x = column ? MARGIN + width * (column + 1) : MARGIN;
      pen.fillText(fitted(pen, String(text), cells.length > 1 ? width - 20 : WIDTH - 2 * MARGIN), x, MARGIN + LINE * (at + 0.5));
    });
  };
  const rule = (at) => {
    pen.fillStyle = COLOURS.line;
    pen.fillRect(MARGIN, MARGIN + LINE * at - 2, WIDTH - 2 * MARGIN, 3);
  };
  line(0, [title], { font: "700 48px" });
  line(1, ["", ...sides], { font: "600 32px", colour: COLOURS.soft });
  rule(2);
  rows.forEach((cells, at) => line(at + 2, cells, { font: at === rows.length - 1 ? "700 42px" : "36px" }));
  rule(rows.length + 1);
  line(rows.length + 2.5, [outcome], { font: "600 36px", colour: COLOURS.soft });
  const blob = await new Promise((resolve) => { canvas.toBlob(resolve, "image/png"); });
  await hand(new File([blob], `${name}.png`, { type: "image/png" }));
}
