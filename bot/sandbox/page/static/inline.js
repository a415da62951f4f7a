/** Markdown inside a line: emphasis, code, links, mentions, timestamps, spoilers, escapes. */

import { el } from "./dom.js";
import { customEmoji, glyphs } from "./glyphs.js";
import { channelMention, commandMention, link, personMention, plainMention, roleMention } from "./mentions.js";
import { timeElement } from "./time.js";

const DEEPEST = 12;
const LAST_SECOND = 8_640_000_000_000;
const WORD = /[\p{L}\p{N}_]/u;

const SPOILER = { class: "spoiler", role: "button", tabindex: "0", "aria-label": "Spoiler: show" };

/** Marks around text, longer ones first, each with what wraps the inner nodes. */
const MARKS = [
  ["**", (nodes) => el("strong", {}, nodes)],
  ["__", (nodes) => el("u", {}, nodes)],
  ["~~", (nodes) => el("s", {}, nodes)],
  ["||", (nodes) => el("span", SPOILER, nodes)],
  ["*", (nodes) => el("em", {}, nodes)],
  ["_", (nodes) => el("em", {}, nodes)],
];

/** Words in brackets, then in parentheses an address (which may hold parentheses itself) and perhaps a title. */
const MASKED_LINK =
  /\[((?:\\.|[^[\]\\\n]|\[[^[\]\n]*\])+)\]\(\s*<?(https?:\/\/(?:[^\s()<>]|\([^\s()<>]*\))+)>?(?:\s+"[^"\n]*")?\s*\)/y;

/** What is recognised by its shape alone: a sticky pattern and the nodes it stands for. */
const SHAPES = [
  [/\\([^\p{L}\p{N}\s])/uy, (match) => glyphs(match[1])],
  [/(?<!`)(`+)(?!`)((?:[^`]|(?!\1(?!`))`)+)\1(?!`)/y, (match) => el("code", {}, match[2].trim() || match[2])],
  [/<@!?(\d+)>/y, (match, pageState) => personMention(match[1], pageState)],
  [/<@&(\d+)>/y, (match, pageState) => roleMention(match[1], pageState)],
  [/<#(\d+)>/y, (match, pageState) => channelMention(match[1], pageState)],
  [/<\/([^:<>\n]+):\d+>/y, (match) => commandMention(match[1])],
  [/<t:(-?\d{1,13})(?::([tTdDfFRsS]))?>/y, timestamp],
  [/<(a?):(\w+):(\d+)>/y, (match) => customEmoji(match[2], match[3], match[1] === "a")],
  [/<(https?:\/\/[^\s<>]+)>/y, (match, pageState) => link(match[1], null, pageState)],
  [MASKED_LINK, maskedLink],
  [/https?:\/\/(?:[^\s<>()]|\([^\s<>()]*\))*[^\s<>()"'.,:;!?*_~|\]]/y, (match, pageState) => link(match[0], null, pageState)],
  [/@(?:everyone|here)\b/y, (match) => plainMention(match[0])],
];

const STARTS = /[\\`<[h@*_~|]/g;

/** The nodes of a piece of text without line structure. */
export function inline(text, pageState, depth = 0) {
  if (depth > DEEPEST) return glyphs(text);
  const nodes = [];
  let at = 0;
  let plainFrom = 0;
  while ((at = nextStart(text, at)) < text.length) {
    const found = shape(text, at, pageState, depth) ?? marked(text, at, pageState, depth);
    if (!found) {
      at += 1;
      continue;
    }
    nodes.push(...glyphs(text.slice(plainFrom, at)), ...[found.nodes].flat());
    at = plainFrom = found.end;
  }
  return [...nodes, ...glyphs(text.slice(plainFrom))];
}

function nextStart(text, from) {
  STARTS.lastIndex = from;
  return STARTS.exec(text)?.index ?? text.length;
}

function shape(text, at, pageState, depth) {
  for (const [pattern, build] of SHAPES) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) return { nodes: build(match, pageState, depth), end: at + match[0].length };
  }
  return null;
}

function marked(text, at, pageState, depth) {
  for (const [mark, wrap] of MARKS) {
    if (!text.startsWith(mark, at)) continue;
    const start = at + mark.length;
    const end = closing(text, start, mark);
    if (end <= start || (mark === "_" && WORD.test(text[at - 1] ?? ""))) continue;
    return { nodes: wrap(inline(text.slice(start, end), pageState, depth + 1)), end: end + mark.length };
  }
  return null;
}

/** Where the mark opened just before `start` is closed, or -1. */
function closing(text, start, mark) {
  const single = mark.length === 1;
  if (single && (text[start] === mark || /\s/.test(text[start] ?? " "))) return -1;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === "\\") {
      at += 1;
    } else if (text.startsWith(mark, at)) {
      const run = runLength(text, at);
      const fits = single ? run % 2 === 1 && !/\s/.test(text[at - 1]) : at > start;
      if (fits && !(mark === "_" && WORD.test(text[at + run] ?? ""))) return at + run - mark.length;
      at += run - 1;
    }
  }
  return -1;
}

function runLength(text, at) {
  let end = at;
  while (text[end] === text[at]) end += 1;
  return end - at;
}

function maskedLink(match, pageState, depth) {
  return link(match[2], inline(match[1], pageState.withoutLinks(), depth + 1), pageState);
}

function timestamp(match) {
  const seconds = Number(match[1]);
  if (Math.abs(seconds) > LAST_SECOND) return match[0];
  return timeElement(new Date(seconds * 1000), match[2] ?? "f", { class: "timestamp" });
}
