/** Whole command lines, typed or pasted at once: `/magpie new target: 200 computers: 2`, with quotes around words that hold a colon. */

import { Unfit } from "./options.js";

const QUOTED = /"[^"]*"|“[^”]*”/g;
const OPENED = /(?:^|[\s:])["“]/;
const HEAD = /(?:^|\s)(\p{L}[\p{L}\p{N}_-]*):(?!\/\/)/gu;

/**
 * The options that a text names, as `[option, words]`; words before any name belong to `first`.
 * Throws `Unfit` with a sentence for the reader where the text can't be understood.
 */
export function parted(text, { path, options }, first = options[0]) {
  const line = text.trim();
  if (!line) return [];
  if (!options.length) throw new Unfit(`/${path} takes no options.`);
  // What stands in quotes is not looked into.
  const bare = line.replace(QUOTED, (words) => "_".repeat(words.length));
  if (OPENED.test(bare)) throw new Unfit("A quotation mark is not closed.");
  const heads = [...bare.matchAll(HEAD)];
  const ends = [...heads.map(({ index }) => index), line.length];
  const pairs = heads.map(([head, name], at) => [
    optionOf(name, path, options),
    unquoted(line.slice(heads[at].index + head.length, ends[at + 1])),
  ]);
  const start = unquoted(line.slice(0, ends[0]));
  if (start) pairs.unshift([first, start]);
  const names = pairs.map(([{ name }]) => name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice) throw new Unfit(`${twice} stands there twice.`);
  return pairs;
}

/** The option whose name, with its colon, ends a text; undefined where none does. */
export function begun(text, options) {
  const name = text.match(/(?:^|\s)([^\s:"“”]+):$/)?.[1].toLowerCase();
  return options.find((option) => option.name.toLowerCase() === name);
}

/** Whether a text is to be read as a line: it names options, or has quotes. */
export function isLine(text) {
  const bare = text.replace(QUOTED, "");
  return bare !== text || OPENED.test(bare) || bare.search(HEAD) >= 0;
}

/** Why no command is called what was typed, and which ones come near. */
export function unknown(commands, text) {
  const [root] = text.slice(1).trim().split(/\s+/);
  const family = commands.filter(({ path }) => path.split(" ")[0] === root.toLowerCase()).map(({ path }) => `/${path}`);
  if (!family.length) return noCommand(root);
  return `/${root} needs more: choose ${listed(family)}.`;
}

/** Says that there is no such command, and where all are. */
export function noCommand(path) {
  return `There is no command /${path}. Type / to see them all.`;
}

/** Writes words as a list of which one is to be chosen. */
export function listed(words) {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

function optionOf(typed, path, options) {
  const option = options.find(({ name }) => name.toLowerCase() === typed.toLowerCase());
  if (option) return option;
  const known = listed(options.map(({ name }) => name));
  throw new Unfit(`/${path} has no option ${typed}, but ${known}. Put words with a colon in quotes.`);
}

function unquoted(words) {
  return words.trim().replace(/^(?:"([^"]*)"|“([^”]*)”)$/, (_, straight, curly) => straight ?? curly);
}
