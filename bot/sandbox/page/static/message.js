/** One message as a list item; always the same skeleton, so that an edit can be morphed in place. */

import { attachmentNode, shownInEmbeds } from "./attachments.js";
import { componentRow } from "./components.js";
import { avatar, beginning, el, icon } from "./dom.js";
import { embedNode } from "./embed.js";
import { onlyEmoji } from "./glyphs.js";
import { inline } from "./inline.js";
import { markdown } from "./markdown.js";
import { stamp, written } from "./time.js";

const LOADING = 1 << 7;
const SLASH_COMMAND = 2;
const THREAD_CREATED = 18;
const QUOTED = 120;
const LINE_MARK = /^(?:(?:#{1,3}|-#|>|>>>|[-*]) +|```.*)/;

/** The element of a message, for the person now looking. */
export function messageNode(message, pageState, activity) {
  const { embeds = [], components: rows = [] } = message;
  const failure = activity.failure(message.id, pageState.me);
  return el("li", {
    class: classes(message, pageState),
    "data-message-id": message.id,
    "data-author": message.author.id,
  },
    el("div", { class: "origin" }, origin(message, pageState)),
    avatar(nameOf(message.author, pageState), pageState.colorOf(message.author.id)),
    el("div", { class: "body" },
      head(message, pageState),
      el("div", { class: "content" }, content(message, pageState)),
      el("div", { class: "embeds" }, embeds.map((embed) => embedNode(embed, message, pageState))),
      el("div", { class: "attachments" }, loose(message).map(attachmentNode)),
      el("div", { class: "components" }, rows.map((row) => componentRow(row, message, pageState, activity))),
      el("div", { class: "failure", role: "alert" }, failure),
      el("div", { class: "private" }, message.ephemeral && privacy(message))));
}

/** Whether a message starts with a line of its own about where it comes from, so never joins the one before. */
export function hasOrigin(message) {
  return Boolean(message.referenced_message || (message.message_reference && !isAboutThread(message)) || commandOf(message));
}

/** Whether a message is Discord's own line about a new thread. */
function isAboutThread(message) {
  return message.type === THREAD_CREATED;
}

/** The plain words of a message, for screen readers. */
export function words(message, pageState) {
  return pieces(message, pageState).map((piece) => (piece.alt ? emojiWords(piece.alt) : piece)).join("").trim();
}

/** What a reply quotes: the beginning of a message in one line, with its emoji as pictures. */
function quotation(message, pageState) {
  const quoted = [];
  let room = QUOTED;
  for (const piece of pieces(message, pageState)) {
    if (room <= 0) break;
    quoted.push(piece.alt ? piece : beginning(piece, room));
    room -= piece.alt ? 1 : piece.length;
  }
  return quoted.length ? quoted : "a message";
}

/** The texts and the emoji's pictures of a message in order, without what they stand in. */
function pieces(message, pageState) {
  const parts = (message.embeds ?? []).flatMap((embed) => [embed.author?.name, embed.title, embed.description]);
  const lines = [message.content, ...parts].filter(Boolean).flatMap((part) => part.split("\n"));
  return lines.flatMap((line) => [...leaves(el("p", {}, inline(line.replace(LINE_MARK, ""), pageState))), " "]);
}

function leaves(node) {
  if (node instanceof Text) return [node.data];
  return node.localName === "img" ? [node] : [...node.childNodes].flatMap(leaves);
}

/** The name of an emoji as words: seat 2 for :seat_2:. */
function emojiWords(name) {
  return name.replaceAll(":", "").replaceAll("_", " ");
}

/** The name a message's author goes by. */
export function nameOf(author, pageState) {
  return pageState.personName(author.id) ?? author.global_name ?? author.username;
}

function classes(message, pageState) {
  const mentioned = new RegExp(`<@!?${pageState.me}>|@everyone|@here`).test(message.content ?? "");
  return ["message", message.ephemeral && "ephemeral", mentioned && "mentioned"].filter(Boolean).join(" ");
}

function commandOf(message) {
  const source = message.interaction_metadata ?? message.interaction;
  return source?.name && (source.type ?? SLASH_COMMAND) === SLASH_COMMAND ? source : null;
}

function origin(message, pageState) {
  const command = commandOf(message);
  if (command) {
    return [actor(command.user, pageState), el("span", {}, " used "), el("span", { class: "mention" }, `/${command.name}`)];
  }
  const earlier = message.referenced_message;
  if (earlier) {
    const jump = { "data-jump-channel": earlier.channel_id, "data-jump-message": earlier.id };
    const quoted = el("button", { type: "button", class: "quoted", ...jump }, quotation(earlier, pageState));
    return [actor(earlier.author, pageState), quoted];
  }
  return message.message_reference && !isAboutThread(message) ? el("em", {}, "Original message was deleted") : null;
}

function actor(user, pageState) {
  const name = nameOf(user, pageState);
  return [avatar(name, pageState.colorOf(user.id)), el("strong", {}, name)];
}

function head(message, pageState) {
  const date = new Date(message.timestamp);
  const isEdited = message.edited_timestamp && !message.content;
  return el("header", { class: "head" },
    el("strong", { class: "name" }, nameOf(message.author, pageState)),
    message.author.bot && el("span", { class: "badge" }, "APP"),
    el("time", { class: "when", datetime: message.timestamp, title: written(date, "F"), "data-short": written(date, "t") },
      stamp(date)),
    isEdited && edited(message));
}

function edited(message) {
  return el("span", { class: "edited", title: written(new Date(message.edited_timestamp), "F") }, "(edited)");
}

function content(message, pageState) {
  if (message.flags & LOADING) {
    return el("div", { class: "thinking", role: "status" }, dots(), `${nameOf(message.author, pageState)} is thinking…`);
  }
  if (!message.content) return null;
  if (isAboutThread(message)) {
    return el("div", { class: "text" }, markdown(`started a thread: <#${message.message_reference.channel_id}>`, pageState));
  }
  const look = onlyEmoji(message.content) ? "text jumbo" : "text";
  const blocks = el("div", { class: look }, markdown(message.content, pageState));
  return [blocks, message.edited_timestamp && edited(message)];
}

function dots() {
  return el("span", { class: "dots", "aria-hidden": "true" }, el("i"), el("i"), el("i"));
}

function loose(message) {
  return (message.attachments ?? []).filter((attachment) => !shownInEmbeds(attachment, message));
}

function privacy(message) {
  return [
    icon("eye"),
    el("span", {}, "Only you can see this · "),
    el("button", { type: "button", class: "plain", "data-dismiss": message.id }, "Dismiss message"),
  ];
}
