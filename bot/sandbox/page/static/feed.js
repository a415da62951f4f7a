/** The messages of the open channel: order, grouping, edits in place, and where the reader has scrolled to. */

import { beginning, el } from "./dom.js";
import { hasOrigin } from "./message.js";
import { morph } from "./morph.js";

const GROUP_WITHIN = 7 * 60_000;
const NEAR_BOTTOM = 60;
const SHORTENED = 120;
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "long" });

/** Shows messages in `list`, which scrolls inside `frame`; `pill` offers the way to what came in below. */
export class Feed {
  #frame;
  #list;
  #pill;
  #draw;
  #entries = new Map();
  #channel = null;
  #atBottom = true;
  /** How much there was, and how much of it was seen, when the end was last kept in sight. */
  #extent = "";
  /** The first message that the reader has not seen, as far as the page can tell. */
  #firstNew = null;
  /** Where keyboard focus was last, to give it back when a disabled button comes alive again. */
  #focus = null;

  constructor({ frame, list, pill }, draw) {
    this.#frame = frame;
    this.#list = list;
    this.#pill = pill;
    this.#draw = draw;
    frame.addEventListener("scroll", () => this.#noteScroll(), { passive: true });
    pill.addEventListener("click", () => this.toBottom());
    list.addEventListener("focusin", ({ target }) => { this.#focus = position(target); });
    document.addEventListener("pointerdown", () => { this.#focus = null; });
    new ResizeObserver(() => this.#keepBottom()).observe(list.parentElement);
    new ResizeObserver(() => this.#keepBottom()).observe(frame);
  }

  get isEmpty() {
    return this.#entries.size === 0;
  }

  message(id) {
    return this.#entries.get(id)?.message ?? null;
  }

  /**
   * Shows all messages of a channel, with a mark above the first new one; the same channel seen by somebody else keeps
   * its place and mark.
   */
  show(channel, messages, firstNew = null) {
    const isSame = this.#channel === channel;
    this.#channel = channel;
    if (!isSame) this.#firstNew = firstNew;
    const kept = new Set(messages.map((message) => message.id));
    for (const id of [...this.#entries.keys()]) if (!isSame || !kept.has(id)) this.#drop(id);
    messages.forEach((message) => this.#place(message));
    this.#regroup();
    if (!isSame) this.#begin();
    this.#keepBottom();
  }

  /** Begins at the newest message, or at the top of what an empty channel shows. */
  #begin() {
    if (!this.isEmpty) return this.toBottom();
    this.#atBottom = false;
    this.#pill.hidden = true;
    this.#frame.scrollTop = 0;
  }

  put(message) {
    const isNew = !this.#entries.has(message.id);
    if (this.isEmpty) this.toBottom();
    if (isNew && (document.hidden || !this.#atBottom)) this.#firstNew ??= message.id;
    this.#place(message);
    this.#regroup();
    if (this.#atBottom) this.#keepBottom();
    else if (isNew) this.#pill.hidden = false;
  }

  remove(id) {
    if (id === this.#firstNew) this.#firstNew = null;
    this.#drop(id);
    this.#regroup();
  }

  /** Takes the mark above new messages away: the reader has answered. */
  unmark() {
    this.#firstNew = null;
    this.#regroup();
  }

  /** Draws a message again because something around it has changed. */
  refresh(id) {
    const entry = this.#entries.get(id);
    if (entry) this.put(entry.message);
  }

  /** Draws all messages again. */
  redraw() {
    for (const id of this.#entries.keys()) this.refresh(id);
  }

  toBottom() {
    this.#atBottom = true;
    this.#pill.hidden = true;
    this.#keepBottom();
  }

  /** Brings a message into sight and flashes it; false when it is not here. */
  flash(id) {
    const node = this.#entries.get(id)?.node;
    if (!node) return false;
    this.#atBottom = false;
    node.scrollIntoView({ block: "center" });
    node.classList.remove("flash");
    // Reading the layout in between lets the animation start over.
    void node.offsetWidth;
    node.classList.add("flash");
    return true;
  }

  #place(message) {
    const entry = this.#entries.get(message.id);
    const fresh = this.#draw(message);
    if (entry) {
      entry.message = message;
      morph(entry.node, fresh);
      this.#giveFocusBack(message.id);
    } else {
      this.#entries.set(message.id, { message, node: fresh });
      this.#list.insertBefore(fresh, this.#after(message.id));
    }
  }

  #after(id) {
    const later = [...this.#list.children].reverse().filter((node) => isEarlier(id, node.dataset.messageId));
    return later.at(-1) ?? null;
  }

  #drop(id) {
    this.#entries.get(id)?.node.remove();
    this.#entries.delete(id);
  }

  /** Joins messages of one author that follow each other, and marks where a day and new messages begin. */
  #regroup() {
    let before = null;
    for (const node of this.#list.children) {
      const { message } = this.#entries.get(node.dataset.messageId);
      const day = DAY.format(new Date(message.timestamp));
      const isNewDay = before !== null && day !== before.day;
      node.classList.toggle("continued", !isNewDay && before !== null && continues(before.message, message));
      if (isNewDay) node.dataset.day = day;
      else delete node.dataset.day;
      node.classList.toggle("first-new", message.id === this.#firstNew);
      before = { message, day };
    }
  }

  #noteScroll() {
    // Nobody scrolls where something grows or shrinks, a picture that has come: the observers are about to tell of it.
    if (this.#extent !== this.#measured()) return;
    const { scrollHeight, scrollTop, clientHeight } = this.#frame;
    this.#atBottom = scrollHeight - scrollTop - clientHeight < NEAR_BOTTOM;
    if (this.#atBottom) this.#pill.hidden = true;
  }

  #keepBottom() {
    if (this.#atBottom) this.#frame.scrollTop = this.#frame.scrollHeight;
    this.#extent = this.#measured();
  }

  #measured() {
    return `${this.#frame.scrollHeight} ${this.#frame.clientHeight}`;
  }

  #giveFocusBack(id) {
    if (this.#focus?.id !== id || document.activeElement !== document.body) return;
    const node = controls(this.#entries.get(id).node)[this.#focus.index];
    if (node && !node.disabled) node.focus({ preventScroll: true });
  }
}

/** A list item for something that is only on this page: a command under way or refused. */
export function noteNode(request, pageState) {
  const command = el("span", { class: "mention" }, request.text);
  const what = request.isCommand ? [" used ", command] : [": ", beginning(request.text, SHORTENED)];
  const who = el("strong", {}, pageState.personName(request.person));
  const dismiss = el("button", { type: "button", class: "plain", "data-dismiss-note": request.nonce }, "Dismiss");
  return el("li", { class: "note" },
    el("div", { class: "note-words" }, who, what),
    request.isFailed
      ? el("div", { class: "failure", role: "alert" }, request.reason, " · ", dismiss)
      : el("div", { class: "thinking" }, "Sending…"));
}

function continues(before, message) {
  return before.author.id === message.author.id
    && Boolean(before.ephemeral) === Boolean(message.ephemeral)
    && !hasOrigin(message)
    && new Date(message.timestamp) - new Date(before.timestamp) < GROUP_WITHIN;
}

/** Ids grow with time, and longer ones are later than shorter ones. */
function isEarlier(id, other) {
  return id.length === other.length ? id < other : id.length < other.length;
}

function position(target) {
  const item = target.closest("[data-message-id]");
  const index = controls(item).indexOf(target);
  return index < 0 ? null : { id: item.dataset.messageId, index };
}

function controls(item) {
  return [...item.querySelectorAll(".components button, .components a")];
}
