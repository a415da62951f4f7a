/** Whether pictures move: as the system has it, until the reader says otherwise. */

import { icon } from "./dom.js";

const MEMORY = "parlour-sandbox-motion";
const SYSTEM = matchMedia("(prefers-reduced-motion: reduce)");
const MOVING = /\.gif$/i;

/** Whether pictures move now. */
export function moves() {
  return (localStorage.getItem(MEMORY) ?? (SYSTEM.matches ? "off" : "on")) === "on";
}

/** The address of a picture, of which only the beginning is shown if nothing moves. */
export function asWanted(address) {
  return moves() || !MOVING.test(address) ? address : `${address}?animated=false`;
}

/** Lets a button stop moving pictures and let them play, now and for the next visit; `changed` draws them again. */
export function stoppable(button, changed) {
  const draw = () => {
    const words = moves() ? "Stop moving pictures" : "Let pictures move";
    button.replaceChildren(icon(moves() ? "pause" : "play"));
    button.setAttribute("aria-label", words);
    button.title = words;
  };
  const update = () => {
    draw();
    changed();
  };
  button.addEventListener("click", () => {
    const wanted = moves() ? "off" : "on";
    // Back at what the system has, the page follows the system again.
    if ((wanted === "off") === SYSTEM.matches) localStorage.removeItem(MEMORY);
    else localStorage.setItem(MEMORY, wanted);
    update();
  });
  SYSTEM.addEventListener("change", update);
  draw();
}
