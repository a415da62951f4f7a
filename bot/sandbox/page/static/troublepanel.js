/** The panel for trouble: what can be broken, how things stand, and the bot on its way back. */

import { el, icon } from "./dom.js";
import { redraw } from "./morph.js";
import { stateWord } from "./sidebar.js";

const DELAYS = [0, 500, 2000, 4000];

const FAILURES = [
  [429, "too many requests; the bot is to wait a second"],
  [500, "a fault at Discord's"],
  [502, "nobody at Discord's is reached"],
];

const PERMISSIONS = {
  VIEW_CHANNEL: "View Channel",
  SEND_MESSAGES: "Send Messages",
  EMBED_LINKS: "Embed Links",
  ATTACH_FILES: "Attach Files",
  READ_MESSAGE_HISTORY: "Read Message History",
  SEND_MESSAGES_IN_THREADS: "Send Messages in Threads",
};

/** What the parts of a frame are, by the kind of trouble, from what the pressed control carries. */
const PARTS = {
  restart: ({ kill }) => ({ kill: kill !== undefined }),
  slow: ({ ms }) => ({ ms: Number(ms) }),
  fail: ({ status }, count) => ({ status: Number(status), count }),
  limit: ({ seconds }) => ({ seconds: Number(seconds) }),
  stop: () => ({ trouble: "fail", status: FAILURES[0][0], count: 0 }),
};

/** The same for boxes that can be ticked. */
const TICKED = {
  permit: ({ value, checked }) => ({ permission: value, held: checked }),
  close: ({ checked }) => ({ closed: !checked }),
};

/** Shows `panel` while `toggle` is pressed; `cause(frame)` sends what the reader asks for. */
export class TroublePanel {
  #panel;
  #toggle;
  #pageState;
  #cause;
  #refusal = "";

  constructor({ panel, toggle }, pageState, cause) {
    this.#panel = panel;
    this.#toggle = toggle;
    this.#pageState = pageState;
    this.#cause = cause;
    toggle.append(icon("bolt"));
    toggle.addEventListener("click", () => this.show(this.#panel.hidden));
    panel.addEventListener("click", ({ target }) => this.#pressed(target.closest("button")));
    panel.addEventListener("change", ({ target }) => this.#changed(target));
    panel.addEventListener("keydown", (event) => this.#key(event));
  }

  show(isOpen) {
    this.#panel.hidden = !isOpen;
    this.#toggle.setAttribute("aria-expanded", String(isOpen));
    this.draw();
    if (isOpen) this.#panel.querySelector("button").focus();
    else this.#toggle.focus();
  }

  /** Says why the last thing asked for could not be done. */
  refuse(sentence) {
    this.#refusal = sentence;
    this.draw();
  }

  draw() {
    const { trouble } = this.#pageState;
    if (this.#panel.hidden || !trouble) return;
    redraw(this.#panel, [
      this.#head(),
      group("The bot", restarts(trouble)),
      group("Its connection to Discord", connections()),
      group("Its requests to Discord", this.#requests(trouble)),
      group(
        this.#pageState.isDirect ? "In these direct messages" : `In ${this.#pageState.placeName(this.#pageState.channel)}`,
        here(trouble, this.#pageState),
      ),
    ]);
  }

  #head() {
    const close = el("button", { type: "button", class: "tool", "aria-label": "Close" }, icon("close"));
    const { bot, trouble } = this.#pageState;
    const look = bot.online && !trouble.phase ? "state online" : "state";
    return el("div", { class: "trouble-head" },
      el("h2", {}, "Trouble"),
      close,
      el("p", { class: "small" }, `Break something, and watch ${bot.name} recover.`),
      el("p", { class: "bot-state", role: "status" }, `${bot.name}: `, el("span", { class: look }, stateWord(this.#pageState))),
      el("p", { class: "failure", role: "alert" }, this.#refusal));
  }

  #requests({ delay_ms: delay, failing }) {
    const delays = DELAYS.map((ms) => el("label", { class: "segment" },
      el("input", { type: "radio", name: "delay", value: ms, "data-trouble": "slow", "data-ms": ms, checked: ms === delay }),
      ms ? `${ms / 1000} s` : "none"));
    const count = el("input", { id: "trouble-count", type: "number", min: 1, max: 20, value: 3 });
    return [
      el("fieldset", { class: "segments" }, el("legend", {}, "Extra time for each: beyond 3 s answers come too late"), delays),
      el("p", { class: "count" }, el("label", { for: "trouble-count" }, "How many of the next ones fail:"), count),
      FAILURES.map(([status, words]) => item({ trouble: "fail", status }, String(status), words)),
      item({ trouble: "limit", seconds: 30 }, "Limit edits", "for 30 s no message can be edited, except by answering a click"),
      failing && item({ trouble: "stop" }, "Stop failing", `${failing.left} more will fail with ${failing.status}`),
    ];
  }

  #pressed(button) {
    if (!button || button.ariaDisabled === "true") return;
    if (button.dataset.trouble) this.#send(button.dataset.trouble, button.dataset);
    else this.show(false);
  }

  #changed(input) {
    if (!input.dataset.trouble) return;
    this.#send(input.dataset.trouble, input.dataset, TICKED[input.dataset.trouble]?.(input));
  }

  #send(trouble, data, parts = {}) {
    this.#refusal = "";
    const count = this.#panel.querySelector("#trouble-count").valueAsNumber;
    this.#cause({ trouble, ...PARTS[trouble]?.(data, count), ...parts });
  }

  #key(event) {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    this.show(false);
  }
}

function restarts({ can_restart: canRestart, phase }) {
  if (!canRestart) return [el("p", { class: "small" }, "It was started elsewhere: restart it there.")];
  // A button that is disabled outright would lose the keyboard's focus.
  const off = { "aria-disabled": Boolean(phase) && "true" };
  return [
    item({ trouble: "restart" }, "Restart", "asks it to end, lets it finish, and starts it again", off),
    item({ trouble: "restart", kill: "" }, "Kill and restart", "ends it at once, like a power cut, and starts it again", off),
  ];
}

function connections() {
  return [
    item({ trouble: "drop" }, "Drop", "it comes back and is told what it missed"),
    item({ trouble: "forget" }, "Drop and forget", "it has to introduce itself anew, which takes some seconds"),
  ];
}

function here({ permissions, thread, closed }, pageState) {
  const boxes = Object.entries(permissions).map(([name, held]) => tick("permit", name, held, PERMISSIONS[name]));
  return [
    pageState.isDirect && tick("close", "open", !closed, `Take direct messages from ${pageState.bot.name}`),
    boxes.length > 0 && el("fieldset", { class: "checks" }, el("legend", {}, `What ${pageState.bot.name} may do here`), boxes),
    thread && item({ trouble: "archive" }, thread.archived ? "Unarchive the thread" : "Archive the thread",
      thread.archived ? "messages in it can be changed again" : "messages in it cannot be changed until it is open again"),
    thread && item({ trouble: "lock" }, thread.locked ? "Unlock the thread" : "Lock the thread",
      thread.locked ? "writing opens it again" : "once archived, only moderators open it"),
    item({ trouble: "wear" }, "Wear out the table", "its message was edited too often: only answers to clicks can change it"),
    item({ trouble: "delete" }, "Delete the table", "takes the bot's newest message with buttons away, as a moderator may"),
  ];
}

function group(title, nodes) {
  return el("section", { class: "trouble-group" }, el("h3", {}, title), nodes);
}

function tick(trouble, value, checked, words) {
  return el("label", { class: "check" }, el("input", { type: "checkbox", value, checked, "data-trouble": trouble }), words);
}

/** A button with a few words beside it that say what it does. */
function item(data, label, words, attributes = {}) {
  const id = `trouble-${label.toLowerCase().replace(/\W+/g, "-")}`;
  const carried = Object.fromEntries(Object.entries(data).map(([name, value]) => [`data-${name}`, value]));
  return el("div", { class: "trouble-item" },
    el("button", { type: "button", class: "button secondary", ...carried, ...attributes, "aria-describedby": id }, label),
    el("span", { id, class: "small" }, words));
}
