/** Dark or light: as the system has it, until the reader says otherwise. */

import { icon } from "./dom.js";

const MEMORY = "parlour-sandbox-theme";
const SYSTEM = matchMedia("(prefers-color-scheme: light)");

/** Lets a button switch between dark and light, now and for the next visit. */
export function switchable(button) {
  const draw = () => {
    const other = present() === "dark" ? "light" : "dark";
    button.replaceChildren(icon(other === "light" ? "sun" : "moon"));
    button.setAttribute("aria-label", `Switch to ${other} colours`);
    button.title = `Switch to ${other} colours`;
  };
  button.addEventListener("click", () => {
    remember(present() === "dark" ? "light" : "dark");
    draw();
  });
  SYSTEM.addEventListener("change", draw);
  apply();
  draw();
}

function present() {
  return localStorage.getItem(MEMORY) ?? (SYSTEM.matches ? "light" : "dark");
}

/** Back at what the system has, the page follows the system again. */
function remember(theme) {
  if (theme === (SYSTEM.matches ? "light" : "dark")) localStorage.removeItem(MEMORY);
  else localStorage.setItem(MEMORY, theme);
  apply();
}

function apply() {
  const chosen = localStorage.getItem(MEMORY);
  if (chosen) document.documentElement.dataset.theme = chosen;
  else delete document.documentElement.dataset.theme;
}
