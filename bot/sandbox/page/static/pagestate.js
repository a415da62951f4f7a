/** The state of the page: people, servers, commands, and which person has which channel open. */

import { leaves } from "./commands.js";

const BOT_COLOR = "#4f5fd0";
const STRANGER_COLOR = "#6b7080";
const MEMORY = "parlour-sandbox";

/** The page's copy of the sandbox's state; only frames from the server and the user's choices change it. */
export class PageState {
  people = [];
  servers = [];
  /** The direct messages with other people, without the bot. */
  chats = [];
  serverCommands = [];
  directCommands = [];
  bot = null;
  /** The languages of people and servers, by id, and those that can be chosen. */
  locales = {};
  knownLocales = [];
  /** What is broken at the moment, and what could be. */
  trouble = null;
  connected = false;
  /** The command to try first. */
  suggested = null;
  /** The first new message of each channel that is not open. */
  unread = new Map();
  /** The first message of the open channel that was new when it was opened. */
  firstNew = null;
  /** Whether links are written as plain words, as inside another link. */
  linkless = false;
  /** Whom the server shows this page as, which lags a little behind `me`. */
  shownAs = null;

  constructor() {
    const { me = null, channel = null } = JSON.parse(sessionStorage.getItem(MEMORY) ?? "{}");
    this.me = me;
    this.channel = channel;
  }

  /** Takes in the server's greeting; a person or channel picked before it (a reload) is kept where it still exists. */
  greet(hello) {
    const { people, servers, chats, bot, suggested } = hello;
    Object.assign(this, { people, servers, chats, bot, suggested, connected: true });
    this.locales = hello.locales.owners;
    this.knownLocales = hello.known_locales;
    this.setCommands(hello);
    this.shownAs = hello.you;
    if (!this.person(this.me)) this.me = hello.you;
    this.#stay(hello.channel);
  }

  /** Takes in which servers, channels and threads the person now looking finds; what is open may be gone. */
  setPlaces({ servers, chats }) {
    Object.assign(this, { servers, chats });
    this.#stay(this.channels[0]?.id ?? this.direct);
  }

  /** Takes in what can be typed in the open channel of a server or among people, and what can be typed in direct messages. */
  setCommands({ commands, direct_commands: direct }) {
    this.serverCommands = leaves(commands);
    this.directCommands = leaves(direct);
  }

  /** Becomes somebody else; from the direct messages of one person one comes to those of the other. */
  become(me) {
    this.choose({ me, channel: this.isDirect ? this.person(me).direct : this.channel });
  }

  /** Remembers the reader's choice for the next load of this window. */
  choose({ me = this.me, channel = this.channel }) {
    Object.assign(this, { me, channel, firstNew: this.unread.get(channel) ?? null });
    this.unread.delete(channel);
    sessionStorage.setItem(MEMORY, JSON.stringify({ me, channel }));
  }

  markUnread(channel, message) {
    if (!this.unread.has(channel)) this.unread.set(channel, message);
  }

  /** The same state for text inside a link. */
  withoutLinks() {
    return Object.create(this, { linkless: { value: true } });
  }

  /** The channels of all servers, each followed by its threads. */
  get channels() {
    return this.servers.flatMap((server) => server.channels.flatMap((channel) => [channel, ...channel.threads]));
  }

  /** The server of the open channel; none has direct messages. */
  get server() {
    return this.servers.find(({ channels }) => channels.some((channel) => this.#isIn(channel))) ?? null;
  }

  /** The thread that is open, if one is. */
  get thread() {
    return this.servers.flatMap(({ channels }) => channels).flatMap(({ threads }) => threads)
      .find(({ id }) => id === this.channel) ?? null;
  }

  /** The channel that is open or holds the thread that is. */
  get parent() {
    return this.neighbours.find((channel) => this.#isIn(channel))?.id ?? null;
  }

  /** The roles in the open channel's server. */
  get roles() {
    return this.server?.roles ?? [];
  }

  /** The channels of the open channel's server, without threads. */
  get neighbours() {
    return this.server?.channels ?? [];
  }

  /** The channel of the direct messages between the bot and the person now looking. */
  get direct() {
    return this.person(this.me)?.direct ?? null;
  }

  /** Whether the open channel is that one. */
  get isDirect() {
    return this.channel === this.direct;
  }

  /** The open direct messages with other people, if they are. */
  get chat() {
    return this.chats.find((chat) => this.#isIn(chat)) ?? null;
  }

  /** Whether there is something new where the person now looking can go: others have direct messages of their own. */
  get hasUnread() {
    return [...this.unread.keys()].some((channel) => this.placeName(channel) !== null);
  }

  /** What can be typed in the open channel. */
  get commands() {
    return this.isDirect ? this.directCommands : this.serverCommands;
  }

  /** Everybody in the open channel. */
  get company() {
    if (this.chat) return this.chat.people.map((id) => this.person(id));
    return [...(this.isDirect ? [this.person(this.me)] : this.people), this.bot];
  }

  person(id) {
    return this.people.find((person) => person.id === id) ?? null;
  }

  channelName(id) {
    return this.channels.find((channel) => channel.id === id)?.name ?? null;
  }

  /** The name with its mark of any channel that the person now looking can open. */
  placeName(id) {
    if (id !== null && id === this.direct) return `@${this.bot.name}`;
    const chat = this.chats.find((each) => each.id === id);
    if (chat) return `@${chat.name}`;
    const name = this.channelName(id);
    return name && `#${name}`;
  }

  roleName(id) {
    return this.servers.flatMap(({ roles }) => roles).find((role) => role.id === id)?.name ?? null;
  }

  personName(id) {
    return this.bot?.id === id ? this.bot.name : this.person(id)?.name ?? null;
  }

  colorOf(id) {
    return this.bot?.id === id ? BOT_COLOR : cssColor(this.person(id)?.color) ?? STRANGER_COLOR;
  }

  #isIn(channel) {
    return channel.id === this.channel || channel.threads.some(({ id }) => id === this.channel);
  }

  #stay(otherwise) {
    if (!this.placeName(this.channel)) this.choose({ channel: otherwise });
  }
}

/** A colour as CSS writes it, from a number as Discord writes it or from CSS itself. */
export function cssColor(color) {
  return typeof color === "number" ? `#${color.toString(16).padStart(6, "0")}` : color ?? null;
}
