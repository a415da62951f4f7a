/** The channels, the people and the bot's state around the messages. */

import { avatar, el, icon } from "./dom.js";
import { starters } from "./commands.js";

/** Draws the servers, each with its channels and their threads. */
export function serverNodes(scene) {
  return scene.servers.map((server) => el("section", { class: "server", "aria-label": server.name },
    el("h2", { class: "server-name" }, server.name),
    el("ul", { class: "channels" }, server.channels.map((channel) => channelItem(channel, scene)))));
}

function channelItem(channel, scene) {
  const threads = channel.threads.map((thread) => el("li", {}, channelButton(thread, icon(threadMark(thread)), scene)));
  return el("li", {},
    channelButton(channel, icon("hash"), scene),
    el("ul", { class: "threads", "aria-label": `Threads of ${channel.name}` },
      threads,
      channel.id === scene.parent && el("li", {}, threadStarter(channel))));
}

function threadStarter({ name }) {
  const attributes = { type: "button", class: "channel new-thread", "data-new-thread": true, "aria-label": `New thread in ${name}` };
  return el("button", attributes, icon("plus"), el("span", {}, "New thread"));
}

function threadMark({ archived, locked }) {
  if (locked) return "lock";
  return archived ? "archive" : "thread";
}

/** Draws the way to the direct messages of the person now looking. */
export function directItems(scene) {
  return [el("li", {}, channelButton({ id: scene.direct, name: scene.bot.name }, botAvatar(scene), scene))];
}

/** The mark and the name of the open channel. */
export function placeNodes(scene) {
  if (scene.isDirect) return [botAvatar(scene), scene.bot.name];
  const { thread } = scene;
  if (!thread) return [icon("hash"), scene.channelName(scene.channel)];
  const state = [thread.archived && "archived", thread.locked && "locked"].filter(Boolean).join(", ");
  return [icon(threadMark(thread)), thread.name, state && el("span", { class: "place-state" }, state)];
}

/** Draws the chips of the people one can be. */
export function personChips(scene) {
  return scene.people.map((person, index) => el("button", {
    type: "button",
    class: "person",
    "data-person": person.id,
    "aria-pressed": String(person.id === scene.me),
    title: `Be ${person.name} (Alt+${index + 1})`,
    "aria-keyshortcuts": `Alt+${index + 1}`,
  }, avatar(person.name, scene.colorOf(person.id)), el("span", {}, person.name)));
}

/** Says whether the bot is there. */
export function presenceNodes(scene) {
  const { name, online } = scene.bot;
  const look = online && !scene.trouble?.phase ? "state online" : "state";
  return [botAvatar(scene), el("strong", {}, name), el("span", { class: look }, stateWord(scene))];
}

/** Says in a word how the bot is. */
export function stateWord({ bot, trouble }) {
  return trouble?.phase ?? (bot.online ? "online" : "offline");
}

/** What an empty channel shows. */
export function welcomeNodes(scene) {
  const ready = starters(scene.commands);
  return [
    ...(scene.isDirect ? directWelcome(scene) : serverWelcome(scene)),
    el("p", { class: "small" }, ready.length ? "Start with one click, or type / in the box below:" : wait(scene)),
    el("div", { class: "starters" }, ready.map((command, index) => starter(command, index === 0))),
  ];
}

function serverWelcome(scene) {
  return [
    el("div", { class: "welcome-mark", "aria-hidden": "true" }, icon("hash")),
    el("h3", {}, `Welcome to #${scene.channelName(scene.channel)}`),
    el("p", {},
      `A small stand-in for Discord on your own computer: try ${scene.bot.name} here as any of four people, `,
      "just as it would be on a real server."),
  ];
}

function directWelcome(scene) {
  const { name } = scene.bot;
  return [
    el("div", { class: "welcome-mark" }, botAvatar(scene)),
    el("h3", {}, name),
    el("p", {},
      `Your direct messages with ${name}: only you, ${scene.personName(scene.me)}, can see them. `,
      "Everybody else has their own."),
  ];
}

/** Why nothing can be started here. */
function wait(scene) {
  const { name } = scene.bot;
  return scene.serverCommands.length ? `${name} has no commands for direct messages.` : `Waiting for ${name}'s commands…`;
}

function botAvatar(scene) {
  return avatar(scene.bot.name, scene.colorOf(scene.bot.id));
}

function channelButton({ id, name, archived, locked }, mark, scene) {
  const isUnread = scene.unread.has(id);
  const attributes = { type: "button", class: isUnread ? "channel unread" : "channel", "data-channel": id };
  return el("button", { ...attributes, "aria-current": id === scene.channel && "page" },
    mark,
    el("span", {}, name),
    archived && el("span", { class: "unseen" }, " (archived)"),
    locked && el("span", { class: "unseen" }, " (locked)"),
    isUnread && el("span", { class: "unseen" }, " (new messages)"));
}

function starter(command, isFirst) {
  return el("button", { type: "button", class: isFirst ? "starter first" : "starter", "data-command": command.path },
    el("strong", {}, `/${command.path}`), el("span", {}, command.description));
}
