/** Embeds: the framed part of a message with its coloured bar. */

import { picture, pictureAddress, smallPicture } from "./attachments.js";
import { el } from "./dom.js";
import { glyphs } from "./glyphs.js";
import { inline } from "./inline.js";
import { markdown } from "./markdown.js";
import { outward } from "./mentions.js";
import { cssColor } from "./pagestate.js";
import { stamp } from "./time.js";

const PER_ROW = 3;

/** The element of one embed of a message. */
export function embedNode(embed, message, pageState) {
  const node = el("article", { class: embed.thumbnail ? "embed with-thumbnail" : "embed" },
    el("div", { class: "embed-words" },
      embed.author?.name && author(embed.author),
      embed.title && title(embed, pageState),
      embed.description && el("div", { class: "text embed-description" }, markdown(embed.description, pageState)),
      embed.fields?.length > 0 && el("div", { class: "fields" }, fields(embed.fields, pageState))),
    el("div", { class: "thumbnail" }, embed.thumbnail && shown(embed.thumbnail, message)),
    el("div", { class: "embed-picture" }, embed.image && shown(embed.image, message)),
    el("div", { class: "footer" }, footer(embed)));
  if (Number.isInteger(embed.color)) node.style.setProperty("--bar", cssColor(embed.color));
  return node;
}

function author({ name, url, icon_url: address }) {
  return el("div", { class: "embed-author" }, smallPicture(address), url ? outward(url, glyphs(name)) : el("span", {}, glyphs(name)));
}

function title(embed, pageState) {
  const nodes = inline(embed.title, embed.url ? pageState.withoutLinks() : pageState);
  const look = { class: "embed-title", role: "heading", "aria-level": "3" };
  return el("div", look, embed.url ? outward(embed.url, nodes) : nodes);
}

function shown(image, message) {
  return picture(pictureAddress(image, message), image.description ?? "", image);
}

function fields(entries, pageState) {
  const rows = [];
  for (const field of entries) {
    const row = rows.at(-1);
    if (field.inline && row?.[0].inline && row.length < PER_ROW) row.push(field);
    else rows.push([field]);
  }
  return rows.map((row) => el("div", { class: `field-row of-${row.length}` }, row.map((field) => fieldNode(field, pageState))));
}

function fieldNode(field, pageState) {
  return el("div", { class: "field" },
    el("div", { class: "field-name" }, inline(field.name, pageState)),
    el("div", { class: "text" }, markdown(field.value, pageState)));
}

function footer({ footer: note, timestamp }) {
  const words = [note?.text, timestamp && stamp(new Date(timestamp))].filter(Boolean).join(" • ");
  return [smallPicture(note?.icon_url), words && el("span", {}, glyphs(words))];
}
