/** What the page knows: the cast, the server, the commands, and who is looking at which channel. */

import { leaves } from "./commands.js";

const BOT_COLOR = "#4f5fd0";
const STRANGER_COLOR = "#6b7080";
const MEMORY = "parlour-sandbox";

/** The page's picture of the sandbox; it changes only by what the server sends and by what the reader picks. */
export class Scene {
  people = [];
  servers = [];
  commands = [];
  bot = null;
  connected = false;
  unread = new Set();
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
    Object.assign(this, { people: hello.people, servers: hello.servers, bot: hello.bot, connected: true });
    this.setCommands(hello.commands);
    this.shownAs = hello.you;
    if (!this.person(this.me)) this.me = hello.you;
    if (!this.channelName(this.channel)) this.channel = hello.channel;
  }

  setCommands(commands) {
    this.commands = leaves(commands);
  }

  /** Remembers the reader's choice for the next load of this window. */
  choose({ me = this.me, channel = this.channel }) {
    Object.assign(this, { me, channel });
    this.unread.delete(channel);
    sessionStorage.setItem(MEMORY, JSON.stringify({ me, channel }));
  }

  /** The same scene for text inside a link. */
  withoutLinks() {
    return Object.create(this, { linkless: { value: true } });
  }

  get channels() {
    return this.servers.flatMap((server) => server.channels);
  }

  person(id) {
    return this.people.find((person) => person.id === id) ?? null;
  }

  channelName(id) {
    return this.channels.find((channel) => channel.id === id)?.name ?? null;
  }

  personName(id) {
    return this.bot?.id === id ? this.bot.name : this.person(id)?.name ?? null;
  }

  colorOf(id) {
    return this.bot?.id === id ? BOT_COLOR : cssColor(this.person(id)?.color) ?? STRANGER_COLOR;
  }
}

/** A colour as CSS writes it, from a number as Discord writes it or from CSS itself. */
export function cssColor(color) {
  return typeof color === "number" ? `#${color.toString(16).padStart(6, "0")}` : color ?? null;
}
