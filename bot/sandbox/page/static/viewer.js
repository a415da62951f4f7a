/** Shows a picture as large as the window allows, above the page. */

import { el, icon } from "./dom.js";
import { asWanted } from "./motion.js";

/** One window for all pictures: a click anywhere, the button and Escape close it. */
export class Viewer {
  #dialog;

  constructor(dialog) {
    this.#dialog = dialog;
    dialog.addEventListener("click", ({ target }) => { if (!target.closest("a")) dialog.close(); });
  }

  /** Opens the picture of a link, as the page shows it. */
  show(link) {
    const { alt } = link.querySelector("img");
    const outside = { href: link.href, target: "_blank", rel: "noopener noreferrer", class: "button secondary" };
    this.#dialog.replaceChildren(
      el("button", { type: "button", class: "tool", "aria-label": "Close" }, icon("close")),
      el("img", { src: asWanted(link.href), alt }),
      el("a", outside, "Open in a new tab"));
    this.#dialog.showModal();
  }
}
