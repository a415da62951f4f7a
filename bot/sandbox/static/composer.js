/** The message box: ordinary messages, and slash commands with their picker and options. */

import { CommandForm } from "./commandform.js";
import { isReady, matching, spoken } from "./commands.js";
import { el } from "./dom.js";
import { Listbox } from "./listbox.js";
import { withMentions } from "./mentions.js";

const LONGEST = 2000;

/** Wires the form; `say(text)` and `slash(path, options)` send and are false when nobody listens. */
export class Composer {
  #input;
  #error;
  #scene;
  #actions;
  #picker;
  #form;

  constructor({ sender, input, picker, options, error }, scene, actions) {
    this.#input = input;
    this.#error = error;
    this.#scene = scene;
    this.#actions = actions;
    this.#picker = new Listbox(picker, input, (command, key) => this.#pick(command, key));
    this.#form = new CommandForm(options, scene, { complete: actions.complete, left: () => this.#left() });
    input.addEventListener("input", () => this.#typed());
    input.addEventListener("keydown", (event) => this.#key(event));
    input.addEventListener("blur", () => this.#picker.hide());
    sender.addEventListener("submit", (event) => this.#submitted(event));
  }

  /** Puts a command into the box, ready to be filled in or sent. */
  start(path) {
    const command = this.#scene.commands.find((one) => one.path === path);
    if (command) this.#choose(command);
    else this.#complain(`There is no command /${path}.`);
  }

  /** Follows a change of the person, of the channel or of the commands. */
  refresh() {
    const filled = this.#form.command?.path;
    if (filled && !this.#scene.commands.some(({ path }) => path === filled)) this.#clear();
    this.#input.placeholder = `Message as ${this.#scene.personName(this.#scene.me)}, or type /`;
    if (this.#picker.isOpen) this.#suggest();
  }

  focus() {
    this.#input.focus();
  }

  #typed() {
    this.#complain("");
    this.#grow();
    const text = this.#input.value;
    const said = spoken(this.#scene.commands, text);
    if (said && text.startsWith(`/${said.command.path} `) && this.#form.command !== said.command) this.#entered(said);
    else if (!said || said.command !== this.#form.command || said.rest) this.#form.close();
    if (this.#form.command) this.#picker.hide();
    else this.#suggest();
  }

  /** The name of a command was typed to its end; words behind it belong to its first option. */
  #entered({ command, rest }) {
    if (this.#isBranch(command, rest) || (rest && !command.options.length)) return;
    this.#choose(command, rest);
  }

  /** Whether what is typed may still become a longer command. */
  #isBranch(command, rest) {
    const start = `${command.path} ${rest}`;
    return this.#scene.commands.some((other) => other !== command && other.path.startsWith(start));
  }

  #suggest() {
    const text = this.#input.value;
    if (!text.startsWith("/") || text.includes("\n")) {
      this.#picker.hide();
      return;
    }
    const found = matching(this.#scene.commands, text.slice(1));
    const note = this.#scene.commands.length ? "No command is called that." : "The bot has no commands here yet.";
    this.#picker.show(found.map(commandRow), { note });
  }

  /** Enter sends a command typed to its end; Tab and a click leave it to be filled in. */
  #pick(command, key) {
    const isTyped = this.#input.value.trim() === `/${command.path}`;
    this.#choose(command);
    if (key === "Enter" && isTyped && isReady(command)) this.#submit();
  }

  #choose(command, rest = "") {
    this.#input.value = `/${command.path} `;
    this.#complain("");
    this.#grow();
    this.#picker.hide();
    this.#form.open(command, rest);
    if (!this.#form.focus()) this.#input.focus();
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
    const said = withMentions(text, this.#scene);
    if (this.#form.command) this.#sendCommand();
    else if (text.startsWith("/")) this.#complain(`There is no command ${text}.`);
    else if (said.length > LONGEST) this.#complain(`A message holds ${LONGEST} characters, not ${said.length}.`);
    else if (said) this.#sent(this.#actions.say(said));
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
    this.#input.value = "";
    this.#form.close();
    this.#picker.hide();
    this.#complain("");
    this.#grow();
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
