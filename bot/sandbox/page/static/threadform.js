/** The form for a new thread, in a window above the page. */

import { el, icon } from "./dom.js";
import { glyphs } from "./glyphs.js";

const LONGEST = 100;

/** One window for the form. */
export class ThreadForm {
  #dialog;
  #name;
  #error;
  #failure;
  #sender;
  #start;
  #done;
  #nonce = null;

  constructor(dialog) {
    this.#dialog = dialog;
    dialog.addEventListener("submit", (event) => this.#send(event));
    dialog.addEventListener("close", () => { this.#nonce = null; });
  }

  /** Opens the form; `start(name)` sends it and is the name of the request or null, `done(text)` hears of success. */
  show(channel, start, done) {
    [this.#start, this.#done] = [start, done];
    this.#error = el("span", { id: "thread-name-error", class: "field-error", role: "alert" });
    this.#name = el("input", { id: "thread-name", type: "text", autocomplete: "off", "aria-required": "true", "aria-describedby": this.#error.id });
    this.#name.addEventListener("input", () => this.#fault(""));
    this.#failure = el("p", { class: "failure", role: "alert" });
    this.#sender = el("button", { type: "submit", class: "button primary" }, el("span", {}, "Submit"));
    this.#dialog.replaceChildren(el("form", { novalidate: true },
      el("header", {}, el("h2", { id: "thread-form-title" }, glyphs(`New thread in #${channel}`)), this.#closer("tool", icon("close"), "Close")),
      el("div", { class: "modal-field" }, el("label", { for: this.#name.id }, "Name"), this.#name, this.#error),
      this.#failure,
      el("footer", {}, this.#closer("button secondary", "Cancel"), this.#sender)));
    this.#dialog.setAttribute("aria-labelledby", "thread-form-title");
    this.#dialog.showModal();
    this.#name.focus();
  }

  /** Takes in the sandbox's word on the form that was sent. */
  progress({ nonce, state, text }) {
    if (this.#nonce === null || nonce !== this.#nonce || state === "sent") return;
    if (state === "failed") {
      this.#say(text || "Something went wrong. Try again.");
      return;
    }
    this.#done(text);
    this.#dialog.close();
  }

  #closer(look, words, label = null) {
    const button = el("button", { type: "button", class: look, "aria-label": label }, words);
    button.addEventListener("click", () => this.#dialog.close());
    return button;
  }

  #send(event) {
    event.preventDefault();
    if (this.#sender.getAttribute("aria-busy") === "true") return;
    const name = this.#name.value;
    const tooLong = `At most ${LONGEST} characters, please: these are ${name.length}.`;
    const fault = !name ? "This one is needed." : name.length > LONGEST ? tooLong : "";
    this.#fault(fault);
    if (fault) {
      this.#name.focus();
      return;
    }
    this.#say("");
    this.#nonce = this.#start(name);
    if (this.#nonce === null) this.#say("The sandbox cannot be reached just now; try again in a moment.");
    else this.#sender.setAttribute("aria-busy", "true");
  }

  #fault(sentence) {
    this.#error.textContent = sentence;
    this.#name.setAttribute("aria-invalid", String(Boolean(sentence)));
  }

  #say(sentence) {
    this.#sender.removeAttribute("aria-busy");
    this.#failure.textContent = sentence;
  }
}
