/** Small helpers that build DOM nodes; text always becomes text nodes, never markup. */

/** The element of the page with this id. */
export const at = (id) => document.getElementById(id);

/** Builds an element: attributes by name (`true` sets it bare; `false` and null leave it out), then children. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  hash: "M9 4 7 20M17 4l-2 16M4.5 9h16M3.5 15h16",
  menu: "M4 7h16M4 12h16M4 17h16",
  send: "M5 12h13M12 5l7 7-7 7",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z" + "M12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z",
  close: "M6 6l12 12M18 6 6 18",
  chevron: "M6 9l6 6 6-6",
  tick: "M5 12.5l4.5 4.5L19 7.5",
  away: "M14 5h5v5M19 5l-8.5 8.5M17 14v5H5V7h5",
};

/** One of the page's own line icons; decoration only, so hidden from assistive technology. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  fill(path, { d: ICONS[name] });
  return fill(svg, { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, [path]);
}

/** A letter in a coloured circle. */
export function avatar(name, color) {
  const circle = el("span", { class: "avatar", "aria-hidden": "true" }, (name || "?").slice(0, 1).toUpperCase());
  circle.style.setProperty("--tint", color);
  return circle;
}

function fill(node, attributes, children = []) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}
