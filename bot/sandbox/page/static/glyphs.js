/** Text with its dice and emoji wrapped, so that they can be drawn larger than letters. */

import { el } from "./dom.js";
import { asWanted } from "./motion.js";

const FIRST_DIE = 0x2680;
const DIE = "[\\u2680-\\u2685]\\ufe0e?";
const ONE = "(?:\\p{Emoji_Presentation}|\\p{Extended_Pictographic}\\ufe0f)[\\u{1f3fb}-\\u{1f3ff}]?";
const EMOJI = `\\p{Regional_Indicator}{2}|[0-9#*]\\ufe0f?\\u20e3|${ONE}(?:\\u200d(?:${ONE}|\\p{Extended_Pictographic}))*`;
/** What may not begin a line; a die is drawn by a picture, behind which a line could end. */
const CLOSING = "[.,:;!?)\\]…]+";
const SPECIAL = new RegExp(`(${DIE})(${CLOSING})?|(${EMOJI})`, "gu");
const CUSTOM = "<a?:\\w+:\\d+>";
const ONLY_EMOJI = new RegExp(`^(?:\\s*(?:${EMOJI}|${DIE}|${CUSTOM})){1,27}\\s*$`, "u");

/** The nodes of a piece of plain text. */
export function glyphs(text) {
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(SPECIAL)) {
    if (match.index > end) nodes.push(text.slice(end, match.index));
    nodes.push(match[1] ? unbroken(die(match[1]), match[2]) : el("span", { class: "emoji" }, match[0]));
    end = match.index + match[0].length;
  }
  if (end < text.length) nodes.push(text.slice(end));
  return nodes;
}

/** Whether a message is nothing but a few emoji, which are then shown very large. */
export function onlyEmoji(text) {
  return ONLY_EMOJI.test(text);
}

/** The picture of an application's emoji. */
export function customEmoji(name, id, isAnimated = false) {
  const address = `/cdn/emojis/${id}.${isAnimated ? "gif" : "webp"}`;
  return el("img", { class: "emoji custom", src: asWanted(address), alt: `:${name}:`, draggable: "false" });
}

function unbroken(node, closing) {
  return closing ? el("span", { class: "unbroken" }, node, closing) : node;
}

function die(character) {
  return el("span", { class: "die", "data-pips": character.codePointAt(0) - FIRST_DIE + 1 }, character);
}
