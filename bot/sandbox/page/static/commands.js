/** Slash commands as people type them: the leaves of the trees that the bot registers. */

const CHAT_INPUT = 1;
const SUBCOMMAND = 1;
const GROUP = 2;

/** All commands that can be sent, each `{path, description, options}`, in alphabetical order. */
export function leaves(commands) {
  return commands
    .filter((command) => (command.type ?? CHAT_INPUT) === CHAT_INPUT)
    .flatMap((command) => branch(command, command.name))
    .sort((one, other) => one.path.localeCompare(other.path));
}

function branch(node, path) {
  const inner = (node.options ?? []).filter((option) => option.type === SUBCOMMAND || option.type === GROUP);
  if (inner.length) return inner.flatMap((child) => branch(child, `${path} ${child.name}`));
  return [{ path, description: node.description ?? "", options: node.options ?? [] }];
}

/** Whether the command can be sent without filling anything in. */
export function isReady(command) {
  return !command.options.some((option) => option.required);
}

/** The commands that fit what was typed after the slash, best first. */
export function matching(commands, typed) {
  const query = typed.trim().toLowerCase().replace(/\s+/g, " ");
  const rank = ({ path, description }) => {
    if (path.startsWith(query)) return 0;
    if (path.includes(` ${query}`)) return 1;
    if (path.includes(query)) return 2;
    return description.toLowerCase().includes(query) ? 3 : -1;
  };
  return commands
    .map((command) => ({ command, rank: rank(command) }))
    .filter((entry) => entry.rank >= 0)
    .sort((one, other) => one.rank - other.rank)
    .map((entry) => entry.command);
}

/**
 * The command whose whole name the text begins with, the longest where several do, and the text behind it;
 * `isEnded` tells whether a space has ended the name.
 */
export function spoken(commands, text) {
  const [said] = commands
    .map((command) => ({ command, typed: text.match(named(command))?.[0] }))
    .filter(({ typed }) => typed)
    .sort((one, other) => other.command.path.length - one.command.path.length);
  if (!said) return null;
  const behind = text.slice(said.typed.length);
  return { command: said.command, rest: behind.trim(), isEnded: behind !== "" };
}

/** Finds a command's name at the start of a text, however many spaces are in it. */
function named({ path }) {
  return new RegExp(`^/\\s*${path.split(" ").join("\\s+")}(?=\\s|$)`, "i");
}

/**
 * What a newcomer may send at once: what is suggested, openings of a game and then help; where a bot has none of them,
 * whatever it has.
 */
export function starters(commands, suggested = null, limit = 6) {
  const ready = commands.filter(isReady);
  const openings = ready.filter(({ path }) => /(^|[ -])new$/.test(path));
  const help = ready.filter(({ path }) => path.split(" ").includes("help"));
  const first = ready.filter(({ path }) => path === suggested);
  const inviting = [...new Set([...first, ...openings, ...help])];
  return (inviting.length ? inviting : ready).slice(0, limit);
}
