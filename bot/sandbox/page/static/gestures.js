/** What the reader does with mouse, touch and keys, outside the message box. */

import { at } from "./dom.js";

/** What a click on something inside the messages means, by what it carries; a hidden spoiler comes before its contents. */
const CLICKS = [
  [".spoiler:not([data-shown])", reveal],
  ["[data-select]", (node, actions) => actions.openSelect(messageOf(node), node.dataset.customId, node)],
  ["[data-custom-id]", (node, actions) => actions.click(messageOf(node), node.dataset.customId)],
  ["a.picture", (node, actions) => actions.enlarge(node)],
  ["[data-dismiss]", (node, actions) => actions.dismiss(node.dataset.dismiss)],
  ["[data-dismiss-note]", (node, actions) => actions.dismissNote(node.dataset.dismissNote)],
  ["[data-jump-channel]", (node, actions) => actions.jump(node.dataset)],
  ["[data-start-command]", (node, actions) => actions.start(node.dataset.startCommand)],
  ["[data-command]", (node, actions) => actions.slash(node.dataset.command)],
];

/** Turns gestures on the page into calls of `actions`. */
export function listen(pageState, actions) {
  at("feed").addEventListener("click", (event) => clicked(event, actions));
  on("people", "[data-person]", (node) => actions.be(node.dataset.person));
  on("drawer", "[data-channel]", (node) => actions.open(node.dataset.channel));
  on("drawer", "[data-new-thread]", () => actions.startThread());
  at("menu").addEventListener("click", () => toggleDrawer(!document.body.classList.contains("drawer-open")));
  at("scrim").addEventListener("click", () => toggleDrawer(false));
  document.addEventListener("keydown", (event) => keyed(event, pageState, actions));
}

/** Shows or hides the channels on narrow screens. */
export function toggleDrawer(isOpen) {
  document.body.classList.toggle("drawer-open", isOpen);
  at("scrim").hidden = !isOpen;
  at("menu").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) at("drawer").querySelector("[aria-current]").focus();
}

function on(id, selector, act) {
  at(id).addEventListener("click", ({ target }) => {
    const node = target.closest(selector);
    if (node) act(node);
  });
}

function clicked(event, actions) {
  // With such a key, a link opens in a tab or window of its own.
  if (event.target.closest("a") && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
  for (const [selector, act] of CLICKS) {
    const node = event.target.closest(selector);
    if (!node) continue;
    event.preventDefault();
    act(node, actions);
    return;
  }
}

function keyed(event, pageState, actions) {
  if (event.target.closest?.("dialog")) return;
  const digit = event.altKey && /^Digit([1-9])$/.exec(event.code)?.[1];
  const person = digit && pageState.people[digit - 1];
  if (person) {
    event.preventDefault();
    actions.be(person.id);
  } else if (event.key === "Escape" && document.body.classList.contains("drawer-open")) {
    toggleDrawer(false);
    at("menu").focus();
  } else if ((event.key === "Enter" || event.key === " ") && event.target.matches(".spoiler")) {
    event.preventDefault();
    reveal(event.target);
  } else if (isLetter(event) && !event.target.closest("input, textarea, select, [popover]")) {
    actions.write();
  }
}

function isLetter({ key, ctrlKey, metaKey, altKey }) {
  return key.length === 1 && key !== " " && !(ctrlKey || metaKey || altKey);
}

function messageOf(node) {
  return node.closest("[data-message-id]").dataset.messageId;
}

function reveal(node) {
  node.dataset.shown = "";
  for (const name of ["role", "tabindex", "aria-label"]) node.removeAttribute(name);
}
