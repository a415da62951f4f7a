/** The languages in which people use Discord, and those of servers; what is chosen is remembered for the next visit. */

import { el } from "./dom.js";
import { redraw } from "./morph.js";

const MEMORY = "parlour-sandbox-languages";
const names = new Map();

/** The menus of the person now looking and of the open server; `speak(owner, locale)` tells the sandbox. */
export class Languages {
  #panel;
  #pageState;
  #speak;

  constructor(panel, pageState, speak) {
    this.#panel = panel;
    this.#pageState = pageState;
    this.#speak = speak;
    panel.addEventListener("change", ({ target }) => this.#choose(target.dataset.owner, target.value));
  }

  /** Tells a sandbox that was started since then what was chosen before. */
  restore() {
    for (const [owner, locale] of Object.entries(remembered())) {
      if (owner in this.#pageState.locales && this.#pageState.locales[owner] !== locale) this.#speak(owner, locale);
    }
  }

  draw() {
    const { me, server } = this.#pageState;
    const owners = [{ id: me, name: this.#pageState.personName(me) }, server].filter(Boolean);
    redraw(this.#panel, owners.map((owner) => this.#menu(owner)));
    for (const menu of this.#panel.querySelectorAll("select")) menu.value = this.#pageState.locales[menu.dataset.owner];
  }

  #menu({ id, name }) {
    const options = this.#pageState.knownLocales.map((locale) => el("option", { value: locale, lang: locale }, ownName(locale)));
    return el("label", { class: "language" },
      el("span", {}, `Language of ${name}`),
      el("select", { "data-owner": id }, options));
  }

  #choose(owner, locale) {
    localStorage.setItem(MEMORY, JSON.stringify({ ...remembered(), [owner]: locale }));
    this.#speak(owner, locale);
  }
}

function remembered() {
  return JSON.parse(localStorage.getItem(MEMORY) ?? "{}");
}

/** The name of a language in itself, which takes a browser long to find. */
function ownName(locale) {
  if (!names.has(locale)) {
    const name = new Intl.DisplayNames([locale], { type: "language" }).of(locale);
    names.set(locale, name.charAt(0).toLocaleUpperCase(locale) + name.slice(1));
  }
  return names.get(locale);
}
