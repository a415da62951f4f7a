/** Mentions and links inside text. */

import { el } from "./dom.js";
import { glyphs } from "./glyphs.js";

const JUMP = /^\/channels\/(\d+|@me)\/(\d+)(?:\/(\d+))?\/?$/;
const DISCORD_HOSTS = new Set(["discord.com", "ptb.discord.com", "canary.discord.com"]);

/** `@Robin`; an id nobody here has is shown as Discord shows strangers. */
export function personMention(id, pageState) {
  return plainMention(`@${pageState.personName(id) ?? "unknown-user"}`);
}

/** `@Players`, a role of one of the servers. */
export function roleMention(id, pageState) {
  return plainMention(`@${pageState.roleName(id) ?? "unknown-role"}`);
}

/** A highlighted word that leads nowhere. */
export function plainMention(text) {
  return el("span", { class: "mention" }, text);
}

/** `#table-one`, which opens that channel. */
export function channelMention(id, pageState) {
  const name = pageState.channelName(id);
  if (!name) return plainMention("#unknown");
  return el("button", { type: "button", class: "mention", "data-jump-channel": id }, `#${name}`);
}

/** `/magpie new`, which starts that command in the message box. */
export function commandMention(path) {
  return el("button", { type: "button", class: "mention", "data-start-command": path }, `/${path}`);
}

/** A link with its own words or showing its address; jump links stay on this page. */
export function link(address, words, pageState) {
  if (pageState.linkless) return words ?? glyphs(address);
  const jump = jumpTarget(address);
  if (jump && pageState.placeName(jump.channel)) return jumpLink(address, jump, words, pageState);
  return outward(address, words ?? address);
}

/** A link out of this page; only web addresses become links, anything else stays text. */
export function outward(address, words, attributes = {}) {
  if (!/^https?:\/\//i.test(address)) return el("span", attributes, words);
  return el("a", { href: address, target: "_blank", rel: "noopener noreferrer", ...attributes }, words);
}

function jumpLink(address, { channel, message }, words, pageState) {
  const shown = words ?? `${pageState.placeName(channel)}${message ? " › message" : ""}`;
  const look = words ? "jump" : "jump mention";
  return el("a", { href: address, class: look, "data-jump-channel": channel, "data-jump-message": message }, shown);
}

function jumpTarget(address) {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !(DISCORD_HOSTS.has(url.hostname) || url.host === location.host)) return null;
  const match = JUMP.exec(url.pathname);
  return match && { channel: match[2], message: match[3] ?? null };
}

/** What somebody typed, with `@Wren` and `#lounge` written as Discord's client sends them. */
export function withMentions(text, pageState) {
  const people = pageState.company.map(({ id, name }) => [`@${name}`, `<@${id}>`]);
  const channels = pageState.neighbours.map(({ id, name }) => [`#${name}`, `<#${id}>`]);
  const known = new Map([...people, ...channels].map(([typed, sent]) => [typed.toLowerCase(), sent]));
  return text.replace(/(?<![\p{L}\p{N}<])[@#][\p{L}\p{N}_-]+/gu, (typed) => known.get(typed.toLowerCase()) ?? typed);
}
