/** What the types of command options demand: their hints, their fixed choices, and how typed text is read. */

const STRING = 3;
const INTEGER = 4;
const BOOLEAN = 5;
const USER = 6;
const CHANNEL = 7;
const ROLE = 8;
const MENTIONABLE = 9;
const NUMBER = 10;

/** Thrown for a value that the option does not take; the message is for the reader. */
export class Unfit extends Error {}

/** The fixed choices of an option as `{name, value}`, or null when it is typed freely. */
export function choicesOf(option, pageState) {
  if (option.choices?.length) return option.choices;
  if (option.type === BOOLEAN) return [{ name: "True", value: true }, { name: "False", value: false }];
  if (option.type === USER) return pageState.company.map(byId);
  if (option.type === ROLE) return pageState.roles.map(byId);
  if (option.type === MENTIONABLE) return [...pageState.company, ...pageState.roles].map(byId);
  if (option.type === CHANNEL) return pageState.neighbours.map(byId);
  return null;
}

/** The few words that say what fits. */
export function hintOf(option) {
  const kind = option.type === INTEGER ? "a whole number" : "a number";
  if (isNumeric(option)) return range(option.min_value, option.max_value, kind);
  return range(option.min_length, option.max_length, "").replace(/(.+)/, "$1 characters");
}

export function isNumeric(option) {
  return option.type === INTEGER || option.type === NUMBER;
}

/** The typed value of what stands in a field. */
export function valueOf(option, text) {
  if (isNumeric(option)) return numberOf(option, text.trim());
  if (option.type !== STRING) throw new Unfit("This kind of option cannot be filled in here.");
  if (option.min_length > text.length) throw new Unfit(`At least ${option.min_length} characters, please.`);
  if (option.max_length < text.length) throw new Unfit(`At most ${option.max_length} characters, please.`);
  return text;
}

function byId({ id, name }) {
  return { name, value: id };
}

function numberOf(option, text) {
  const isWhole = option.type === INTEGER;
  if (!(isWhole ? /^[-+]?\d+$/ : /^[-+]?(\d+\.?\d*|\.\d+)$/).test(text)) {
    throw new Unfit(isWhole ? "Enter a whole number." : "Enter a number.");
  }
  const value = Number(text);
  if (value < option.min_value) throw new Unfit(`${option.min_value} is the least.`);
  if (value > option.max_value) throw new Unfit(`${option.max_value} is the most.`);
  return value;
}

function range(least, most, otherwise) {
  if (least !== undefined && most !== undefined) return `${least} to ${most}`;
  if (least !== undefined) return `${least} or more`;
  return most !== undefined ? `up to ${most}` : otherwise;
}
