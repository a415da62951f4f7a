/** The channels, the people and the bot's state around the messages. */

import { avatar, el, icon } from "./dom.js";
import { starters } from "./commands.js";
import { glyphs } from "./glyphs.js";

/** Draws the servers, each with its channels and their threads. */
export function serverNodes(pageState) {
  return pageState.servers.map((server) => el("section", { class: "server", "aria-label": server.name },
    el("h2", { class: "server-name" }, server.name),
    el("ul", { class: "channels" }, server.channels.map((channel) => channelItem(channel, pageState)))));
}

function channelItem(channel, pageState) {
  const threads = channel.threads.map((thread) => el("li", {}, channelButton(thread, icon(threadMark(thread)), pageState)));
  return el("li", {},
    channelButton(channel, icon("hash"), pageState),
    el("ul", { class: "threads", "aria-label": `Threads of ${channel.name}` },
      threads,
      channel.id === pageState.parent && el("li", {}, threadStarter(channel))));
}

function threadStarter({ name }) {
  const attributes = { type: "button", class: "channel new-thread", "data-new-thread": true, "aria-label": `New thread in ${name}` };
  return el("button", attributes, icon("plus"), el("span", {}, "New thread"));
}

function threadMark({ archived, locked }) {
  if (locked) return "lock";
  return archived ? "archive" : "thread";
}

/** Draws the ways to the direct messages of the person now looking: with the bot, and with others without it. */
export function directItems(pageState) {
  const own = { id: pageState.direct, name: pageState.bot.name };
  return [
    el("li", {}, channelButton(own, botAvatar(pageState), pageState)),
    ...pageState.chats.map((chat) => el("li", {}, channelButton(chat, chatAvatar(chat, pageState), pageState))),
  ];
}

function chatAvatar({ name, people }, pageState) {
  return avatar(name, pageState.colorOf(people.find((id) => id !== pageState.me)));
}

/** The mark and the name of the open channel. */
export function placeNodes(pageState) {
  if (pageState.isDirect) return [botAvatar(pageState), pageState.bot.name];
  const { thread, chat } = pageState;
  if (chat) return [chatAvatar(chat, pageState), chat.name];
  if (!thread) return [icon("hash"), pageState.channelName(pageState.channel)];
  const state = [thread.archived && "archived", thread.locked && "locked"].filter(Boolean).join(", ");
  return [icon(threadMark(thread)), thread.name, state && el("span", { class: "place-state" }, state)];
}

/** Draws the chips of the people one can be. */
export function personChips(pageState) {
  return pageState.people.map((person, index) => el("button", {
    type: "button",
    class: "person",
    "data-person": person.id,
    "aria-pressed": String(person.id === pageState.me),
    title: `Be ${person.name} (Alt+${index + 1})`,
    "aria-keyshortcuts": `Alt+${index + 1}`,
  }, avatar(person.name, pageState.colorOf(person.id)), el("span", {}, person.name)));
}

/** Says whether the bot is there. */
export function presenceNodes(pageState) {
  const { name, online } = pageState.bot;
  const look = online && !pageState.trouble?.phase ? "state online" : "state";
  return [botAvatar(pageState), el("strong", {}, name), el("span", { class: look }, stateWord(pageState))];
}

/** Says in a word how the bot is. */
export function stateWord({ bot, trouble }) {
  return trouble?.phase ?? (bot.online ? "online" : "offline");
}

/** What an empty channel shows. */
export function welcomeNodes(pageState) {
  const ready = starters(pageState.commands, pageState.suggested);
  return [
    ...welcome(pageState),
    el("p", { class: "small" }, ready.length ? invitation(ready[0], pageState) : wait(pageState)),
    el("div", { class: "starters" }, ready.map((command, index) => starter(command, index === 0))),
  ];
}

function welcome(pageState) {
  if (pageState.isDirect) return directWelcome(pageState);
  return pageState.chat ? chatWelcome(pageState) : serverWelcome(pageState);
}

function chatWelcome(pageState) {
  const { bot, chat } = pageState;
  return [
    el("div", { class: "welcome-mark" }, chatAvatar(chat, pageState)),
    el("h3", {}, chat.name),
    el("p", {},
      `Your direct messages with ${chat.name}. ${bot.name} is not among you, but you have installed it for yourself: `,
      "its answers are for you alone."),
  ];
}

function serverWelcome(pageState) {
  return [
    el("div", { class: "welcome-mark", "aria-hidden": "true" }, icon("hash")),
    el("h3", {}, `Welcome to #${pageState.channelName(pageState.channel)}`),
    el("p", {},
      `${pageState.bot.name} hosts board games on Discord. This page stands in for Discord: try it as any of five people, `,
      "as on a real server."),
  ];
}

function directWelcome(pageState) {
  const { name } = pageState.bot;
  return [
    el("div", { class: "welcome-mark" }, botAvatar(pageState)),
    el("h3", {}, name),
    el("p", {},
      `Your direct messages with ${name}: only you, ${pageState.personName(pageState.me)}, can see them. `,
      "Everybody else has their own."),
  ];
}

function invitation({ path }, { suggested }) {
  const first = path === suggested ? `First time here? Try /${path}. ` : "";
  return `${first}Press a command to send it, or type / in the box below:`;
}

/** Why nothing can be started here. */
function wait(pageState) {
  const { name } = pageState.bot;
  return pageState.serverCommands.length ? `${name} has no commands for direct messages.` : `Waiting for ${name}'s commands…`;
}

function botAvatar(pageState) {
  return avatar(pageState.bot.name, pageState.colorOf(pageState.bot.id));
}

function channelButton({ id, name, archived, locked }, mark, pageState) {
  const isUnread = pageState.unread.has(id);
  const attributes = { type: "button", class: isUnread ? "channel unread" : "channel", "data-channel": id };
  return el("button", { ...attributes, "aria-current": id === pageState.channel && "page" },
    mark,
    el("span", {}, glyphs(name)),
    archived && el("span", { class: "unseen" }, " (archived)"),
    locked && el("span", { class: "unseen" }, " (locked)"),
    isUnread && el("span", { class: "unseen" }, " (new messages)"));
}

function starter(command, isFirst) {
  return el("button", { type: "button", class: isFirst ? "starter first" : "starter", "data-command": command.path },
    el("strong", {}, `/${command.path}`), el("span", {}, command.description));
}
