/** The menu of a select under a message: one choice is sent at once, several when the menu closes. */

import { el, icon } from "./dom.js";
import { emojiNodes } from "./components.js";
import { glyphs } from "./glyphs.js";

const GAP = 6;

/** One popover for all selects of the page; `send(message, customId, values)` gets what was chosen. */
export class SelectMenu {
  #menu;
  #send;
  #open = null;

  constructor(menu, send) {
    this.#menu = menu;
    this.#send = send;
    menu.addEventListener("toggle", ({ newState }) => newState === "closed" && this.#closed());
    menu.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Opens the menu of a select at the button that stands for it. */
  show(anchor, message, select) {
    const chosen = new Set(select.options.filter((option) => option.default).map((option) => option.value));
    const [least, most] = [select.min_values ?? 1, select.max_values ?? 1];
    this.#open = { message, select, chosen, least, most, before: [...chosen].join("\n"), isCancelled: false };
    this.#menu.replaceChildren(this.#list(), ...(this.#isSingle ? [] : [this.#bar()]));
    this.#count();
    this.#menu.showPopover();
    this.#settle(anchor.getBoundingClientRect());
    this.#options[0]?.focus();
  }

  get #isSingle() {
    return this.#open.least === 1 && this.#open.most === 1;
  }

  get #options() {
    return [...this.#menu.querySelectorAll("[role=option]")];
  }

  #list() {
    const { select, chosen } = this.#open;
    const label = select.placeholder ?? "Choices";
    const attributes = { class: "list", role: "listbox", "aria-label": label, "aria-multiselectable": String(!this.#isSingle) };
    return el("div", attributes,
      select.options.map((option) => this.#row(option, chosen.has(option.value))));
  }

  #row(option, isChosen) {
    const attributes = { role: "option", "data-value": option.value, "aria-selected": String(isChosen) };
    const node = el("button", { type: "button", ...attributes },
      emojiNodes(option.emoji),
      el("span", { class: "option-words" },
        el("span", { class: "option-label" }, glyphs(option.label)),
        option.description && el("span", { class: "option-description" }, glyphs(option.description))),
      icon("tick"));
    node.addEventListener("click", () => this.#toggle(option.value));
    return node;
  }

  #bar() {
    const done = el("button", { type: "button", class: "button primary", "data-done": true }, "Done");
    done.addEventListener("click", () => this.#menu.hidePopover());
    return el("div", { class: "select-bar" }, el("span", { role: "status" }), done);
  }

  #toggle(value) {
    const { chosen, most } = this.#open;
    if (this.#isSingle) {
      chosen.clear();
      chosen.add(value);
      this.#open.before = null;
      this.#menu.hidePopover();
      return;
    }
    if (!chosen.delete(value) && chosen.size < most) chosen.add(value);
    for (const node of this.#options) node.setAttribute("aria-selected", String(chosen.has(node.dataset.value)));
    this.#count();
  }

  #count() {
    if (this.#isSingle) return;
    const { least, most, chosen } = this.#open;
    const range = least === most ? `exactly ${most}` : `${least} to ${most}`;
    this.#menu.querySelector("[role=status]").textContent = `${chosen.size} chosen (${range})`;
    this.#menu.querySelector("[data-done]").disabled = !this.#isValid;
  }

  get #isValid() {
    const { least, most, chosen } = this.#open;
    return chosen.size >= least && chosen.size <= most;
  }

  #key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") this.#open.isCancelled = true;
    if (!step) return;
    const options = this.#options;
    options.at((options.indexOf(document.activeElement) + step) % options.length).focus();
    event.preventDefault();
  }

  #closed() {
    const { message, select, chosen, before, isCancelled } = this.#open;
    const values = select.options.map((option) => option.value).filter((value) => chosen.has(value));
    if (!isCancelled && this.#isValid && values.join("\n") !== before) this.#send(message, select.custom_id, values);
    this.#open = null;
  }

  /** Puts the menu under its button, or over it where there is more room. */
  #settle(place) {
    const { style } = this.#menu;
    const below = innerHeight - place.bottom - 2 * GAP;
    const above = place.top - 2 * GAP;
    const isBelow = below >= Math.min(this.#menu.scrollHeight, above);
    style.left = `${place.left}px`;
    style.width = `${place.width}px`;
    style.maxHeight = `${Math.max(isBelow ? below : above, 120)}px`;
    style.top = isBelow ? `${place.bottom + GAP}px` : "auto";
    style.bottom = isBelow ? "auto" : `${innerHeight - place.top + GAP}px`;
  }
}
