/** A popup list under or over a text field: arrows move, Enter and Tab pick, so do mouse and touch. */

import { el } from "./dom.js";

let counter = 0;

/** Shows rows `{value, attributes, nodes}` in `list` for `input`; `picked(value, key)` is called with the chosen one. */
export class Listbox {
  #list;
  #input;
  #picked;
  #rows = [];
  #active = -1;

  constructor(list, input, picked) {
    this.#list = list;
    this.#input = input;
    this.#picked = picked;
    list.addEventListener("pointerdown", (event) => event.preventDefault());
    list.addEventListener("click", ({ target }) => this.#pick(this.#rows[this.#indexOf(target)]));
    list.addEventListener("pointermove", ({ target }) => this.#activate(this.#indexOf(target)));
  }

  get isOpen() {
    return !this.#list.hidden;
  }

  get active() {
    return this.#rows[this.#active]?.value ?? null;
  }

  show(rows, { note = null } = {}) {
    this.#rows = rows;
    this.#list.replaceChildren(...rows.map((row) => this.#rowNode(row)));
    if (!rows.length && note) this.#list.append(el("li", { class: "list-note", role: "presentation" }, note));
    this.#list.hidden = !rows.length && !note;
    this.#list.scrollTop = 0;
    this.#input.setAttribute("aria-expanded", String(this.isOpen));
    this.#activate(rows.length ? 0 : -1);
  }

  hide() {
    this.show([]);
  }

  /** Handles a key of the field while the list is open; true when the key was meant for the list. */
  key(event) {
    if (!this.isOpen || event.isComposing) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      this.#activate((this.#active + step + this.#rows.length) % (this.#rows.length || 1));
    } else if (event.key === "Escape") {
      this.hide();
    } else if ((event.key === "Enter" || (event.key === "Tab" && !event.shiftKey)) && this.#rows.length) {
      this.#picked(this.active, event.key);
    } else {
      return false;
    }
    event.preventDefault();
    return true;
  }

  #rowNode({ attributes, nodes }) {
    counter += 1;
    return el("li", { id: `row-${counter}`, role: "option", "aria-selected": "false", ...attributes }, nodes);
  }

  #indexOf(target) {
    return [...this.#list.children].indexOf(target.closest("[role=option]"));
  }

  #pick(row) {
    if (row) this.#picked(row.value);
  }

  #activate(index) {
    if (index < 0 && this.#rows.length) return;
    this.#active = index;
    [...this.#list.children].forEach((node, at) => {
      if (this.#rows.length) node.setAttribute("aria-selected", String(at === index));
    });
    const node = this.#rows.length ? this.#list.children[index] : null;
    if (node) {
      this.#input.setAttribute("aria-activedescendant", node.id);
      node.scrollIntoView({ block: "nearest" });
    } else {
      this.#input.removeAttribute("aria-activedescendant");
    }
  }
}
