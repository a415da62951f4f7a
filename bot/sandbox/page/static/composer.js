/** The message box: ordinary messages, and slash commands with their picker and options. */

import { CommandForm } from "./commandform.js";
import { begun, noCommand, unknown } from "./commandline.js";
import { isReady, matching, spoken } from "./commands.js";
import { el } from "./dom.js";
import { Listbox } from "./listbox.js";
import { withMentions } from "./mentions.js";
import { choicesOf, Unfit } from "./options.js";

const LONGEST = 2000;

/** Wires the form; `say(text)` and `slash(path, options)` send and are false when nobody listens. */
export class Composer {
  #input;
  #error;
  #pageState;
  #actions;
  #picker;
  #form;

  constructor({ sender, input, picker, options, error }, pageState, actions) {
    this.#input = input;
    this.#error = error;
    this.#pageState = pageState;
    this.#actions = actions;
    this.#picker = new Listbox(picker, input, (command, key) => this.#pick(command, key));
    this.#form = new CommandForm(options, pageState, { complete: actions.complete, left: () => this.#left() });
    input.addEventListener("input", () => this.#typed());
    input.addEventListener("keydown", (event) => this.#key(event));
    input.addEventListener("blur", () => this.#picker.hide());
    sender.addEventListener("submit", (event) => this.#submitted(event));
  }

  /** Puts a command into the box, ready to be filled in or sent. */
  start(path) {
    const command = this.#pageState.commands.find((one) => one.path === path);
    if (command) this.#choose(command);
    else this.#complain(noCommand(path));
  }

  /** Follows a change of the person, of the channel or of the commands. */
  refresh() {
    const filled = this.#form.command?.path;
    if (filled && !this.#pageState.commands.some(({ path }) => path === filled)) this.#clear();
    this.#input.placeholder = `Message as ${this.#pageState.personName(this.#pageState.me)}, or type /`;
    if (this.#picker.isOpen) this.#suggest();
  }

  focus() {
    this.#input.focus();
  }

  #typed() {
    this.#complain("");
    this.#grow();
    const text = this.#input.value;
    const said = spoken(this.#pageState.commands, text);
    if (!said?.isEnded || this.#isBranch(said.command, said.rest)) {
      this.#form.close();
      this.#suggest();
      return;
    }
    this.#picker.hide();
    // Only what is pasted has words behind a name that is new; a line that is typed here is read when it is sent.
    if (this.#form.command === said.command) {
      this.#follow(said);
      return;
    }
    this.#form.open(said.command);
    if (said.rest) this.#takeLine(said);
    else this.#form.focusForTyping();
  }

  /** Goes on in the field of an option whose name has just been typed: there it is completed. */
  #follow(said) {
    const option = begun(said.rest, said.command.options);
    if (option && !choicesOf(option, this.#pageState) && this.#takeLine(said)) this.#form.focusOn(option);
  }

  /** Fills the options in from the line; false, and said why, where that can't be done. */
  #takeLine({ command, rest }) {
    if (this.#form.command !== command) this.#form.open(command);
    try {
      this.#form.take(rest);
    } catch (fault) {
      if (!(fault instanceof Unfit)) throw fault;
      this.#complain(fault.message);
      return false;
    }
    this.#write(`/${command.path} `);
    return true;
  }

  /** Whether what is typed may still become a longer command. */
  #isBranch(command, rest) {
    const start = `${command.path} ${rest}`;
    return this.#pageState.commands.some((other) => other !== command && other.path.startsWith(start));
  }

  #suggest() {
    const text = this.#input.value;
    if (!text.startsWith("/") || text.includes("\n")) {
      this.#picker.hide();
      return;
    }
    const found = matching(this.#pageState.commands, text.slice(1));
    const note = this.#pageState.commands.length ? "No command is called that." : "The bot has no commands here yet.";
    this.#picker.show(found.map(commandRow), { note });
  }

  /** Enter sends a command typed to its end; Tab and a click leave it to be filled in. */
  #pick(command, key) {
    const isTyped = this.#input.value.trim() === `/${command.path}`;
    this.#choose(command);
    if (key === "Enter" && isTyped && isReady(command)) this.#submit();
  }

  #choose(command) {
    this.#write(`/${command.path} `);
    this.#complain("");
    this.#picker.hide();
    this.#form.open(command);
    if (!this.#form.focus()) this.#input.focus();
  }

  #write(text) {
    this.#input.value = text;
    this.#grow();
  }

  #key(event) {
    if (this.#picker.key(event) || event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      this.#submit();
    } else if (event.key === "Escape" && this.#input.value.startsWith("/")) {
      event.preventDefault();
      this.#clear();
    }
  }

  #submitted(event) {
    event.preventDefault();
    if (this.#picker.isOpen && this.#picker.active) this.#pick(this.#picker.active, "Enter");
    else this.#submit();
  }

  #submit() {
    const text = this.#input.value.trim();
    if (text.startsWith("/")) {
      this.#submitLine(text);
      return;
    }
    const said = withMentions(text, this.#pageState);
    if (said.length > LONGEST) this.#complain(`A message holds ${LONGEST} characters, not ${said.length}.`);
    else if (said) this.#sent(this.#actions.say(said));
  }

  #submitLine(text) {
    const said = spoken(this.#pageState.commands, text);
    if (!said) this.#complain(unknown(this.#pageState.commands, text));
    else if (this.#takeLine(said)) this.#sendCommand();
  }

  #sendCommand() {
    const values = this.#form.read();
    if (values) this.#sent(this.#actions.slash(this.#form.command.path, values));
  }

  #sent(wasSent) {
    if (!wasSent) {
      this.#complain("The sandbox cannot be reached just now; try again in a moment.");
      return;
    }
    this.#clear();
    this.#input.focus();
  }

  #left() {
    if (!this.#form.command) this.#clear();
    this.#input.focus();
  }

  #clear() {
    this.#write("");
    this.#form.close();
    this.#picker.hide();
    this.#complain("");
  }

  #complain(sentence) {
    this.#error.textContent = sentence;
  }

  #grow() {
    this.#input.style.height = "auto";
    this.#input.style.height = `${this.#input.scrollHeight}px`;
  }
}

function commandRow(command) {
  return {
    value: command,
    attributes: { "data-command": command.path },
    nodes: [
      el("span", { class: "command-path" }, `/${command.path}`, command.options.map(parameter)),
      el("span", { class: "command-description" }, command.description),
    ],
  };
}

function parameter({ name, required }) {
  return el("span", { class: required ? "parameter needed" : "parameter" }, name);
}
