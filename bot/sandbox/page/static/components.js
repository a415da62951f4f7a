/** Buttons and selects under a message. */

import { el, icon } from "./dom.js";
import { customEmoji, glyphs } from "./glyphs.js";
import { outward } from "./mentions.js";

const ROW = 1;
const BUTTON = 2;
const STRING_SELECT = 3;
const ROLE_SELECT = 6;
const CHANNEL_SELECT = 8;
const LINK_STYLE = 5;
const FEW_CHARACTERS = 3;
const STYLES = { 1: "primary", 2: "secondary", 3: "success", 4: "danger" };

/** One row of components of a message. */
export function componentRow(row, message, pageState, activity) {
  if (row.type !== ROW) return unknown();
  return el("div", { class: "row" }, row.components.map((part) => component(part, message, pageState, activity)));
}

/** The select of a message with this id and its options, if it is still there. */
export function findSelect(message, customId, pageState) {
  const parts = (message?.components ?? []).flatMap((row) => row.components ?? []);
  const found = parts.find((part) => OPTIONS[part.type] && part.custom_id === customId && !part.disabled);
  return found ? { ...found, options: optionsOf(found, pageState) } : null;
}

/** What each kind of select offers, as the options that a bot lists itself. */
const OPTIONS = {
  [STRING_SELECT]: ({ options }) => options,
  [ROLE_SELECT]: (_, pageState) => pageState.roles.map(role),
  [CHANNEL_SELECT]: ({ channel_types: types }, pageState) => places(pageState)
    .filter(({ type }) => !types?.length || types.includes(type))
    .map(({ id, name }) => ({ value: id, label: `#${name}` })),
};

/** Whether a part of a message is a select. */
function isSelect(part) {
  return part.type in OPTIONS;
}

/** The options of a select; those it begins with are marked. */
function optionsOf(part, pageState) {
  const first = new Set((part.default_values ?? []).map(({ id }) => id));
  return OPTIONS[part.type](part, pageState).map((option) => (first.has(option.value) ? { ...option, default: true } : option));
}

function role({ id, name }) {
  return { value: id, label: name.startsWith("@") ? name : `@${name}` };
}

function places(pageState) {
  return pageState.neighbours.flatMap((channel) => [channel, ...channel.threads]);
}

/** The picture before a label. */
export function emojiNodes(emoji) {
  if (!emoji?.name) return null;
  return el("span", { class: "mark" }, emoji.id ? customEmoji(emoji.name, emoji.id) : glyphs(emoji.name));
}

function component(part, message, pageState, activity) {
  const isBusy = activity.isBusy(message.id, part.custom_id, pageState.me);
  if (part.type === BUTTON) return part.style === LINK_STYLE ? linkButton(part) : button(part, isBusy);
  if (!isSelect(part)) return unknown();
  return select({ ...part, options: optionsOf(part, pageState) }, isBusy, activity.picked(message.id, part.custom_id, pageState.me));
}

function button(part, isBusy) {
  return el("button", {
    type: "button",
    class: `button ${STYLES[part.style] ?? "secondary"}${isShort(part) ? " short" : ""}`,
    "data-custom-id": part.custom_id,
    "aria-busy": isBusy && "true",
    "aria-label": part.label ? null : part.emoji?.name,
    disabled: Boolean(part.disabled),
  }, face(part));
}

function face({ emoji, label }) {
  return [emojiNodes(emoji), label && el("span", { class: "label" }, glyphs(label))];
}

function isShort({ label, emoji }) {
  return !label || [...label].length + (emoji ? 2 : 0) <= FEW_CHARACTERS;
}

function linkButton(part) {
  const words = [face(part), icon("away")];
  if (part.disabled) return el("button", { type: "button", class: "button secondary", disabled: true }, words);
  return outward(part.url, words, { class: "button secondary" });
}

function select(part, isBusy, picked) {
  const chosen = part.options.filter((option) => (picked ? picked.includes(option.value) : option.default));
  return el("button", {
    type: "button",
    class: "select",
    "data-custom-id": part.custom_id,
    "data-select": true,
    "aria-haspopup": "listbox",
    "aria-busy": isBusy && "true",
    disabled: Boolean(part.disabled),
  },
    el("span", { class: chosen.length ? "picked" : "placeholder" },
      chosen.length ? chosen.map(chip) : glyphs(part.placeholder ?? "Make a selection")),
    icon("chevron"));
}

function chip(option) {
  return el("span", { class: "choice" }, emojiNodes(option.emoji), el("span", {}, glyphs(option.label)));
}

function unknown() {
  return el("div", { class: "small" }, "This kind of component is not shown here.");
}
