/** How points in time are written, in the reader's own language and zone. */

import { el } from "./dom.js";

const format = (dateStyle, timeStyle) => new Intl.DateTimeFormat(undefined, { dateStyle, timeStyle });

const STYLES = {
  t: format(undefined, "short"),
  T: format(undefined, "medium"),
  d: format("short"),
  D: format("long"),
  f: format("long", "short"),
  F: format("full", "short"),
  s: format("short", "short"),
  S: format("short", "medium"),
};

const DISTANCE = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });

const UNITS = [["year", 31_557_600], ["month", 2_629_800], ["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]];

/** The written form of a date in one of the styles of `<t:...>`. */
export function written(date, style) {
  return style === "R" ? relative(date) : STYLES[style].format(date);
}

/** A `<time>` element; one in the relative style is kept true by `keepTimes`. */
export function timeElement(date, style, attributes = {}) {
  return el("time", {
    datetime: date.toISOString(),
    title: written(date, "F"),
    "data-relative": style === "R",
    ...attributes,
  }, written(date, style));
}

/** When a message was written: the time alone today, else with its day. */
export function stamp(date) {
  const days = Math.round((midnight(new Date()) - midnight(date)) / 86_400_000);
  if (days === 0) return `Today at ${written(date, "t")}`;
  return days === 1 ? `Yesterday at ${written(date, "t")}` : written(date, "s");
}

/** Rewrites relative times now and then. */
export function keepTimes() {
  setInterval(() => {
    for (const node of document.querySelectorAll("time[data-relative]")) {
      node.textContent = relative(new Date(node.dateTime));
    }
  }, 1000);
}

function relative(date) {
  const seconds = Math.round((date - Date.now()) / 1000);
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS.at(-1);
  return DISTANCE.format(Math.trunc(seconds / length), unit);
}

function midnight(date) {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}
