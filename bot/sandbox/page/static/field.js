/** One option of a command in the message box. */

import { isLine, listed } from "./commandline.js";
import { el, icon } from "./dom.js";
import { Listbox } from "./listbox.js";
import { choicesOf, hintOf, isNumeric, Unfit, valueOf } from "./options.js";

const PAUSE = 120;
const MOST_NAMED = 6;

let counter = 0;

/** A labelled input; `complete(name)` resolves to the bot's suggestions, `removed` is called by its cross. */
export class Field {
  option;
  node;
  #choices;
  #input;
  #error;
  #listbox = null;
  #complete;
  #timer = 0;
  #asked = 0;
  /** The suggestion that stands in the input, whose value may differ from its name. */
  #suggestion = null;
  #refused = "";
  #taken = "";

  constructor(option, pageState, { complete, removed }) {
    counter += 1;
    this.option = option;
    this.#choices = choicesOf(option, pageState);
    this.#complete = complete;
    this.#error = el("span", { class: "field-error", id: `field-error-${counter}`, role: "alert" });
    this.#input = this.#choices ? this.#choiceInput() : this.#textInput();
    this.node = this.#build(removed);
    if (option.autocomplete) this.#offerSuggestions();
  }

  focus() {
    this.#input.focus();
  }

  get text() {
    return this.#input.value;
  }

  /** Takes over words that were typed elsewhere; a fixed choice is found by its name. */
  set text(words) {
    const choice = this.#choices ? this.#choiceCalled(words) : words;
    this.#input.value = choice === -1 ? "" : choice;
    this.#renewed();
    this.#taken = this.text;
    if (choice === -1 && words) this.refuse(this.#unoffered(words));
  }

  /** Puts words back as they were typed. */
  restore(words) {
    this.#input.value = words;
    this.#renewed();
  }

  /** Whether words are typed here freely. */
  get isTyped() {
    return !this.#choices;
  }

  /** Whether what is typed here names options, this one or others, or has quotes; what was taken over has been read. */
  get isLine() {
    return this.isTyped && ![this.#suggestion?.name, this.#taken].includes(this.text) && isLine(this.text);
  }

  /** Says why the words can't be taken, until there are others. */
  refuse(sentence) {
    this.#refused = sentence;
    this.#say(sentence);
  }

  /** The typed value, undefined when nothing is entered; throws `Unfit` with its sentence shown. */
  read() {
    if (this.#refused) throw new Unfit(this.#refused);
    this.#say("");
    try {
      return this.#value();
    } catch (fault) {
      if (fault instanceof Unfit) this.#say(fault.message);
      throw fault;
    }
  }

  /** The value as it is so far, for the bot's suggestions; undefined while it does not fit. */
  draft() {
    try {
      return this.#value();
    } catch {
      return undefined;
    }
  }

  /** Handles a key while suggestions are open. */
  key(event) {
    return event.target === this.#input && (this.#listbox?.key(event) ?? false);
  }

  #value() {
    if (!this.text.trim()) {
      if (this.option.required) throw new Unfit("This one is needed.");
      return undefined;
    }
    if (this.#choices) return this.#choices[this.text].value;
    return this.#suggestion?.name === this.text ? this.#suggestion.value : valueOf(this.option, this.text);
  }

  #build(removed) {
    const { name, description, required } = this.option;
    const remove = el("button", { type: "button", class: "remove", "aria-label": `Remove ${name}` }, icon("close"));
    remove.addEventListener("click", removed);
    return el("div", { class: "option", "data-option": name },
      el("label", { for: this.#input.id, title: description }, name),
      el("div", { class: "option-input" }, this.#input, !required && remove),
      el("span", { class: "option-hint" }, [description, this.#hint()].filter(Boolean).join(" · ")),
      this.#error);
  }

  #hint() {
    return this.#choices ? "" : hintOf(this.option);
  }

  #attributes() {
    return {
      id: `field-${counter}`,
      name: this.option.name,
      "aria-describedby": this.#error.id,
      "aria-required": String(Boolean(this.option.required)),
    };
  }

  #textInput() {
    const mode = { type: "text", inputmode: isNumeric(this.option) && "numeric", autocomplete: "off", autocapitalize: "off" };
    const input = el("input", { ...mode, ...this.#attributes() });
    input.addEventListener("input", () => this.#changed());
    return input;
  }

  #choiceInput() {
    const input = el("select", this.#attributes(),
      el("option", { value: "" }, "Choose…"),
      this.#choices.map((choice, index) => el("option", { value: index }, choice.name)));
    input.addEventListener("change", () => this.#changed());
    return input;
  }

  /** Forgets what was said and offered of words that stood here before. */
  #renewed() {
    this.#suggestion = null;
    this.#refused = "";
    this.#say("");
  }

  #changed() {
    this.#renewed();
    this.#dropOwnName();
    if (this.isLine) this.#leave();
    else if (this.#listbox) this.#askSoon(PAUSE);
  }

  /** A line goes on with `name: words` where the cursor stands in the field of that name already. */
  #dropOwnName() {
    const start = `${this.option.name}:`;
    if (!this.isTyped) return;
    if (this.text.toLowerCase().startsWith(start)) this.#input.value = this.text.slice(start.length);
    if (/^\s/.test(this.text)) this.#input.value = this.text.trimStart();
  }

  #choiceCalled(words) {
    const wanted = words.replace(/^[@#]/, "").toLowerCase();
    return this.#choices.findIndex(({ name }) => name.replace(/^[@#]/, "").toLowerCase() === wanted);
  }

  #unoffered(words) {
    const names = this.#choices.map(({ name }) => name);
    const more = names.length > MOST_NAMED ? [...names.slice(0, MOST_NAMED), "others"] : names;
    return `“${words}” is not offered. Choose ${listed(more)}.`;
  }

  #offerSuggestions() {
    const id = `suggestions-${counter}`;
    const list = el("ul", { id, class: "list suggestions", role: "listbox", "aria-label": this.option.name, hidden: true });
    const combobox = { role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": id };
    for (const [name, value] of Object.entries(combobox)) this.#input.setAttribute(name, value);
    this.#listbox = new Listbox(list, this.#input, (choice) => this.#take(choice));
    this.#input.addEventListener("focus", () => this.#askSoon(0));
    this.#input.addEventListener("blur", () => this.#leave());
    this.node.append(list);
  }

  #askSoon(pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), pause);
  }

  async #ask() {
    this.#asked += 1;
    const turn = this.#asked;
    const choices = await this.#complete(this.option.name);
    // A later question or leaving the field makes this answer stale.
    if (turn !== this.#asked || document.activeElement !== this.#input) return;
    this.#listbox.show(choices.map(choiceRow));
  }

  #take(choice) {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.#input.value = choice.name;
    this.#suggestion = choice;
    this.#say("");
    this.#listbox.hide();
  }

  #leave() {
    clearTimeout(this.#timer);
    this.#asked += 1;
    this.#listbox?.hide();
  }

  #say(sentence) {
    this.#error.textContent = sentence;
    this.#input.setAttribute("aria-invalid", String(Boolean(sentence)));
  }
}

function choiceRow(choice) {
  return { value: choice, attributes: { "data-choice": choice.value }, nodes: [choice.name] };
}
