/** The options of the chosen command: the needed ones at once, the others by a "+ option" button each. */

import { parted } from "./commandline.js";
import { el } from "./dom.js";
import { Field } from "./field.js";
import { Unfit } from "./options.js";

/** Fills `panel` with fields; `complete(command, options, focused)` resolves to the bot's suggestions. */
export class CommandForm {
  command = null;
  #panel;
  #pageState;
  #complete;
  #left;
  #fields = [];

  constructor(panel, pageState, { complete, left }) {
    this.#panel = panel;
    this.#pageState = pageState;
    this.#complete = complete;
    this.#left = left;
    panel.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Takes on a command. */
  open(command) {
    this.command = command;
    this.#fields = command.options.filter((option) => option.required).map((option) => this.#field(option));
    this.#layOut();
  }

  /** Takes words for the options: `name: words`, or words alone for the first; throws `Unfit`. */
  take(line, first = this.command.options[0]) {
    for (const [option, words] of parted(line, this.command, first)) {
      const field = this.#fields.find((one) => one.option === option) ?? this.#add(option);
      field.text = words;
    }
  }

  close() {
    this.command = null;
    this.#fields = [];
    this.#layOut();
  }

  /** Moves on into the first field; false when there is none. */
  focus() {
    this.#fields[0]?.focus();
    return this.#fields.length > 0;
  }

  /** Moves on into an option's field, if one can type on there. */
  focusOn(option) {
    const field = this.#fields.find((one) => one.option === option);
    if (field?.isTyped) field.focus();
  }

  /** Moves on into the first field if one can type on there; in a list of choices a line would be lost. */
  focusForTyping() {
    if (this.#fields[0]?.isTyped) this.#fields[0].focus();
  }

  /** All values by name, or null when one does not fit; then that field says so and has the focus. */
  read() {
    const values = {};
    let unfit = this.#spread();
    for (const field of unfit ? [] : this.#fields) {
      try {
        const value = field.read();
        if (value !== undefined) values[field.option.name] = value;
      } catch (fault) {
        if (!(fault instanceof Unfit)) throw fault;
        unfit ??= field;
      }
    }
    unfit?.focus();
    return unfit ? null : values;
  }

  /** Gives words that name other options, typed on in one field, to those; returns a field whose words can't be read. */
  #spread() {
    for (const field of this.#fields.filter(({ isLine }) => isLine)) {
      const line = field.text;
      try {
        field.text = "";
        this.take(line, field.option);
      } catch (fault) {
        if (!(fault instanceof Unfit)) throw fault;
        field.restore(line);
        field.refuse(fault.message);
        return field;
      }
    }
    return null;
  }

  #field(option) {
    const field = new Field(option, this.#pageState, {
      complete: (name) => this.#complete(this.command.path, { ...this.#drafts(), [name]: field.text }, name),
      removed: () => this.#remove(field),
    });
    return field;
  }

  #drafts() {
    return Object.fromEntries(this.#fields.map((field) => [field.option.name, field.draft()]));
  }

  #add(option) {
    const field = this.#field(option);
    this.#fields.push(field);
    this.#layOut();
    return field;
  }

  #remove(field) {
    this.#fields = this.#fields.filter((other) => other !== field);
    this.#layOut();
    this.#left();
  }

  #layOut() {
    const used = new Set(this.#fields.map((field) => field.option.name));
    const open = (this.command?.options ?? []).filter((option) => !used.has(option.name));
    const nodes = this.#fields.map((field) => field.node);
    this.#panel.replaceChildren(...nodes, ...open.map((option) => this.#adder(option)));
    this.#panel.hidden = !this.#panel.childElementCount;
  }

  #adder(option) {
    const attributes = { type: "button", class: "adder", "data-add-option": option.name, title: option.description };
    const button = el("button", attributes, `+ ${option.name}`);
    button.addEventListener("click", () => this.#add(option).focus());
    return button;
  }

  #key(event) {
    if (this.#fields.some((field) => field.key(event)) || event.key !== "Escape") return;
    event.preventDefault();
    this.close();
    this.#left();
  }
}
