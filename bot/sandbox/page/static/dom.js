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
  thread: "M5 4v10a4 4 0 0 0 4 4h10M15 13.5 19.5 18 15 22",
  archive: "M4 5h16v4H4zM5.5 9v10h13V9M10 13h4",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3 19 19M19 5l-1.7 1.7M6.7 17.3 5 19",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  play: "M7 5l12 7-12 7z",
  pause: "M8 5v14M16 5v14",
  bolt: "M13 2 5 13.5h6L10 22l9-12.5h-6.5z",
  plus: "M12 5v14M5 12h14",
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

const LETTERS = new Intl.Segmenter();

/** The first letters of a text: none is parted from its marks, no emoji is cut in two. */
export function beginning(text, count) {
  let end = 0;
  for (const { index, segment } of LETTERS.segment(text)) {
    if (count-- <= 0) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

/** A letter in a coloured circle. */
export function avatar(name, color) {
  const circle = el("span", { class: "avatar", "aria-hidden": "true" }, beginning(name || "?", 1).toUpperCase());
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
