/** Forms to fill in, in a window above the page: the bot's own and the page's. */

import { isSelect, optionsOf } from "./components.js";
import { el, icon } from "./dom.js";
import { glyphs } from "./glyphs.js";
import { markdown } from "./markdown.js";

const ROW = 1;
const TEXT_INPUT = 4;
const TEXT = 10;
const LABEL = 18;
const PARAGRAPH = 2;
const LONGEST = 4000;

/** One window for all forms. */
export class Modal {
  #dialog;
  #pageState;
  #open = null;
  #fields = [];
  #nonce = null;

  constructor(dialog, pageState) {
    this.#dialog = dialog;
    this.#pageState = pageState;
    dialog.addEventListener("submit", (event) => this.#send(event));
    dialog.addEventListener("close", () => { this.#open = null; });
  }

  /** Opens a form; `submit(entries)` sends it and is the name of the request or null, `done(text)` hears of success. */
  show(form, submit, done = () => {}) {
    this.#open = { submit, done };
    this.#fields = [];
    const parts = form.components.map((part) => this.#part(part));
    this.#dialog.replaceChildren(el("form", { novalidate: true },
      el("header", {}, el("h2", { id: "modal-title" }, glyphs(form.title)), this.#closer("tool", icon("close"), "Close")),
      el("div", { class: "modal-parts" }, parts),
      el("p", { class: "failure", role: "alert" }),
      el("footer", {},
        this.#closer("button secondary", "Cancel"),
        el("button", { type: "submit", class: "button primary" }, el("span", {}, "Submit")))));
    this.#dialog.setAttribute("aria-labelledby", "modal-title");
    if (!this.#dialog.open) this.#dialog.showModal();
    this.#fields[0]?.focus();
  }

  /** Takes in the sandbox's word on the form that was sent. */
  progress({ nonce, state, text }) {
    if (!this.#open || nonce !== this.#nonce || state === "sent") return;
    if (state === "failed") {
      this.#say(text || "Something went wrong. Try again.");
      return;
    }
    this.#open.done(text);
    this.#dialog.close();
  }

  #part(part) {
    if (part.type === TEXT) return el("div", { class: "text" }, markdown(part.content, this.#pageState));
    if (part.type === ROW) return part.components.map((input) => this.#labelled(input.label, null, input));
    return part.type === LABEL ? this.#labelled(part.label, part.description, part.component) : null;
  }

  #labelled(label, description, part) {
    const field = part.type === TEXT_INPUT ? textField(part) : isSelect(part) ? choiceField(part, this.#pageState) : null;
    if (!field) return null;
    this.#fields.push(field);
    const needed = isRequired(part) && el("span", { class: "needed", "aria-hidden": "true" }, " *");
    return el("div", { class: "modal-field", role: field.isGroup && "group", "aria-labelledby": field.isGroup && `${field.id}-label` },
      el("label", { id: `${field.id}-label`, for: field.id }, glyphs(label), needed),
      description && el("span", { class: "small" }, glyphs(description)),
      field.node,
      field.error);
  }

  #closer(look, words, label = null) {
    const button = el("button", { type: "button", class: look, "aria-label": label }, words);
    button.addEventListener("click", () => this.#dialog.close());
    return button;
  }

  #send(event) {
    event.preventDefault();
    if (this.#isBusy) return;
    const faults = this.#fields.map((field) => field.check());
    const unfit = this.#fields[faults.findIndex(Boolean)];
    if (unfit) {
      unfit.focus();
      return;
    }
    const entries = Object.fromEntries(this.#fields.map((field) => [field.customId, field.read()]));
    this.#say("");
    this.#nonce = this.#open.submit(entries);
    if (this.#nonce === null) this.#say("The sandbox cannot be reached just now; try again in a moment.");
    else this.#sender.setAttribute("aria-busy", "true");
  }

  get #sender() {
    return this.#dialog.querySelector("[type=submit]");
  }

  get #isBusy() {
    return this.#sender.getAttribute("aria-busy") === "true";
  }

  #say(sentence) {
    this.#sender.removeAttribute("aria-busy");
    this.#dialog.querySelector("form > .failure").textContent = sentence;
  }
}

/** The page's own form for a new thread. */
export function threadForm(channel) {
  const name = { type: TEXT_INPUT, custom_id: "name", label: "Name", max_length: 100 };
  return { title: `New thread in #${channel}`, components: [{ type: ROW, components: [name] }] };
}

let counter = 0;

function textField(part) {
  const { id, error, say } = frame();
  const shared = { id, placeholder: part.placeholder, "aria-required": String(isRequired(part)), "aria-describedby": error.id };
  const node = part.style === PARAGRAPH ? el("textarea", { rows: 4, ...shared }) : el("input", { type: "text", autocomplete: "off", ...shared });
  node.value = part.value ?? "";
  node.addEventListener("input", () => say(node, ""));
  return {
    id, node, error,
    customId: part.custom_id,
    focus: () => node.focus(),
    read: () => node.value,
    check: () => say(node, textFault(part, node.value)),
  };
}

function textFault(part, text) {
  const [least, most] = [part.min_length ?? 0, part.max_length ?? LONGEST];
  if (!text) return isRequired(part) ? "This one is needed." : "";
  if (text.length < least) return `At least ${least} characters, please.`;
  return text.length > most ? `At most ${most} characters, please: these are ${text.length}.` : "";
}

function choiceField(part, pageState) {
  const { id, error, say } = frame();
  const [least, most] = [part.min_values ?? 1, part.max_values ?? 1];
  const kind = most > 1 || !isRequired(part) ? "checkbox" : "radio";
  const boxes = optionsOf(part, pageState).map((option) =>
    [option, el("input", { type: kind, name: id, value: option.value, checked: option.default, "aria-describedby": error.id })]);
  const node = el("div", { id, class: "checks" }, boxes.map(([option, box]) => el("label", { class: "check" }, box,
    el("span", {}, glyphs(option.label), option.description && el("span", { class: "small" }, " ", glyphs(option.description))))));
  const read = () => boxes.map(([, box]) => box).filter((box) => box.checked).map((box) => box.value);
  const range = least === most ? `exactly ${most}` : `${least} to ${most}`;
  const fits = (count) => (count >= least && count <= most) || (!count && !isRequired(part));
  node.addEventListener("change", () => say(node, ""));
  return {
    id, node, error, read,
    isGroup: true,
    customId: part.custom_id,
    focus: () => boxes[0]?.[1].focus(),
    check: () => say(node, fits(read().length) ? "" : `Choose ${range}.`),
  };
}

function isRequired(part) {
  return part.required !== false;
}

/** What every field has: an id of its own, and a place for what is wrong with it. */
function frame() {
  counter += 1;
  const error = el("span", { id: `modal-error-${counter}`, class: "field-error", role: "alert" });
  const say = (node, sentence) => {
    error.textContent = sentence;
    node.setAttribute("aria-invalid", String(Boolean(sentence)));
    return sentence;
  };
  return { id: `modal-field-${counter}`, error, say };
}
