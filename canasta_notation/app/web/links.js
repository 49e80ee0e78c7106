// Records in links: a letter for the version, then the text, compressed, in the fragment, which no
// server sees. And handing a record to other programs.
import { say } from "./language.js";

const VERSION = "A";
const MOST = 64 * 1024;

const piped = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream));

export async function packed(text) {
  const bytes = new TextEncoder().encode(text);
  const small = await piped(bytes, new CompressionStream("deflate-raw")).arrayBuffer();
  const binary = Array.from(new Uint8Array(small), (byte) => String.fromCharCode(byte)).join("");
  return VERSION + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// The text of a link; an error in words for one that is cut off, foreign or too large.
export async function unpacked(link) {
  if (!link.startsWith(VERSION)) throw new Error(say("link_version"));
  try {
    const plain = link.slice(1).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(plain), (char) => char.charCodeAt(0));
    const opened = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return new TextDecoder("utf-8", { fatal: true }).decode(await limited(opened.getReader()));
  } catch (error) {
    if (error instanceof RangeError) throw new Error(error.message);
    throw new Error(say("link_damaged"));
  }
}

async function limited(reader) {
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > MOST) {
      await reader.cancel();
      throw new RangeError(say("link_large"));
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// The text of a whole link, as it was copied.
export async function textOfLink(link) {
  const [, given] = link.split("#g=");
  if (given === undefined) throw new Error(say("no_link", { f: link }));
  return unpacked(given);
}

export const fits = (text) => new TextEncoder().encode(text).length <= MOST;

export async function linkTo(text) {
  return `${location.href.split("#")[0]}#g=${await packed(text)}`;
}

// The text of a file that a person chose; an error in words for one that is not a record.
export async function textOf(file) {
  if (file.size > 1 << 20) throw new Error(`${file.name}: ${say("file_large")}`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Error(`${file.name}: ${say("file_text")}`);
  }
}

export const shareFile = (text, name) =>
  hand(new File([text], `${name}.canasta`, { type: "text/plain" }));

// Hands a file to another program, or downloads it.
export async function hand(file) {
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file] });
      return;
    } catch (error) {
      if (error.name === "AbortError") return;
    }
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
