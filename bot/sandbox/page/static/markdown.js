/** Discord's markdown as DOM nodes: the lines and blocks; `inline.js` does what stands inside them. */

import { el } from "./dom.js";
import { inline } from "./inline.js";

const FENCE = /```(?:([\w+#.-]+)\n)?\n*([\s\S]*?)```\n?/g;
const HEADING = /^(#{1,3})\s+(\S.*)$/;
const SMALL = /^-#\s+(\S.*)$/;
const QUOTE = /^> /;
const QUOTE_REST = /^>>> /;
const ITEM = /^( *)([-*]|\d{1,10}\.) +(\S.*)$/;

/** The blocks of a message or an embed's description. */
export function markdown(text, pageState) {
  const nodes = [];
  let rest = text.replace(/\r\n?/g, "\n").replace(/^\n+|\s+$/g, "");
  while (rest) {
    const block = QUOTE_REST.test(rest) ? quoteRest(rest, pageState) : firstBlock(rest, pageState);
    nodes.push(block.node);
    rest = block.rest;
  }
  return nodes.filter(Boolean);
}

function firstBlock(text, pageState) {
  const line = text.split("\n", 1)[0];
  if (line.trimStart().startsWith("```")) {
    const fence = nextFence(text);
    if (fence?.index === text.indexOf("```")) {
      return { node: codeBlock(fence), rest: text.slice(fence.index + fence[0].length) };
    }
  }
  if (QUOTE.test(line)) return quote(text, pageState);
  if (ITEM.test(line)) return list(text, pageState);
  return heading(line, text, pageState) ?? paragraph(text, pageState);
}

function heading(line, text, pageState) {
  const large = HEADING.exec(line);
  const small = SMALL.exec(line);
  if (!large && !small) return null;
  const node = large
    ? headingNode(large[1].length, inline(large[2], pageState))
    : el("div", { class: "small" }, inline(small[1], pageState));
  return { node, rest: after(text, line) };
}

function headingNode(level, nodes) {
  return el("div", { class: `heading heading-${level}`, role: "heading", "aria-level": 3 + level }, nodes);
}

function paragraph(text, pageState) {
  const fence = nextFence(text);
  const limit = fence && fence.index > 0 ? fence.index : text.length;
  const lines = text.slice(0, limit).split("\n");
  const stop = lines.findIndex((line, index) => index > 0 && startsBlock(line));
  const own = (stop < 0 ? lines : lines.slice(0, stop)).join("\n");
  const rest = text.slice(own.length).replace(/^\n/, "");
  const words = own.replace(/\n+$/, (gap) => (startsBlock(rest.split("\n", 1)[0]) ? "" : gap.slice(1)));
  return { node: words.trim() ? el("div", { class: "paragraph" }, inline(words, pageState)) : null, rest };
}

function startsBlock(line) {
  return [HEADING, SMALL, QUOTE, QUOTE_REST, ITEM].some((pattern) => pattern.test(line));
}

function nextFence(text) {
  FENCE.lastIndex = 0;
  for (let match = FENCE.exec(text); match; match = FENCE.exec(text)) {
    if (text[match.index - 1] !== "\\" && match[2].trim()) return match;
  }
  return null;
}

function codeBlock(fence) {
  return el("pre", {}, el("code", { "data-language": fence[1] }, fence[2].replace(/\n$/, "")));
}

function quoteRest(text, pageState) {
  return { node: el("blockquote", {}, markdown(text.replace(QUOTE_REST, ""), pageState)), rest: "" };
}

function quote(text, pageState) {
  const lines = leading(text, (line) => QUOTE.test(line) || line === ">");
  const inner = lines.map((line) => line.slice(2)).join("\n");
  return { node: el("blockquote", {}, markdown(inner, pageState)), rest: after(text, lines.join("\n")) };
}

function list(text, pageState) {
  const lines = leading(text, (line) => ITEM.test(line) || /^ {2,}\S/.test(line));
  return { node: el("div", {}, listNodes(items(lines), pageState)), rest: after(text, lines.join("\n")) };
}

/** Items with their indent, mark and text; indented lines without a mark continue the item before. */
function items(lines) {
  const found = [];
  for (const line of lines) {
    const match = ITEM.exec(line);
    if (match) found.push({ indent: match[1].length, mark: match[2], text: match[3] });
    else found.at(-1).text += `\n${line.trim()}`;
  }
  return found;
}

/** A list for each run of items of the same kind, with deeper items inside the item they follow. */
function listNodes(entries, pageState) {
  const lists = [];
  for (let at = 0; at < entries.length; ) {
    let end = at + 1;
    while (end < entries.length && entries[end].indent > entries[0].indent) end += 1;
    const { mark, text } = entries[at];
    const tag = /\d/.test(mark) ? "ol" : "ul";
    if (lists.at(-1)?.localName !== tag) lists.push(el(tag, { start: tag === "ol" && parseInt(mark, 10) }));
    lists.at(-1).append(el("li", {}, inline(text, pageState), listNodes(entries.slice(at + 1, end), pageState)));
    at = end;
  }
  return lists;
}

function leading(text, belongs) {
  const lines = text.split("\n");
  const stop = lines.findIndex((line) => !belongs(line));
  return stop < 0 ? lines : lines.slice(0, stop);
}

/** The text behind its first part, without the line break and the blank lines between. */
function after(text, part) {
  return text.slice(part.length).replace(/^\n+/, "");
}
