/** Draws the page around the messages: the sidebar, the title, the bot's state, banner and toast. */

import { at } from "./dom.js";
import { redraw } from "./morph.js";
import { directItems, personChips, placeNodes, presenceNodes, serverNodes, welcomeNodes } from "./sidebar.js";

const TOAST_FOR = 5000;
let toastTimer = 0;

/** Draws everything that depends on who is where. */
export function drawShell(pageState) {
  const place = pageState.placeName(pageState.channel);
  at("place").replaceChildren(...placeNodes(pageState).filter(Boolean));
  document.title = pageState.server ? `${place} · ${pageState.server.name}` : place;
  redraw(at("people"), personChips(pageState));
  drawChannels(pageState);
  drawBot(pageState);
}

export function drawChannels(pageState) {
  redraw(at("servers"), serverNodes(pageState));
  redraw(at("directs"), directItems(pageState));
  at("menu").classList.toggle("unread", pageState.hasUnread);
  at("menu").setAttribute("aria-label", pageState.hasUnread ? "Channels (new messages)" : "Channels");
}

/** Says how the bot is, at the foot of the channels and, when it is away, across the page. */
export function drawBot(pageState) {
  if (pageState.bot) redraw(at("presence"), presenceNodes(pageState));
  const words = bannerWords(pageState);
  at("banner").hidden = !words;
  at("banner").textContent = words;
}

export function drawWelcome(pageState, isEmpty) {
  at("welcome").hidden = !isEmpty;
  redraw(at("welcome"), isEmpty ? welcomeNodes(pageState) : []);
}

/** Shows a sentence for a while. */
export function toast(sentence) {
  at("toast").textContent = sentence;
  at("toast").hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { at("toast").hidden = true; }, TOAST_FOR);
}

function bannerWords({ connected, bot, trouble }) {
  if (!connected || !bot) return "Not connected to the sandbox: trying again…";
  if (trouble?.phase === "ending") return `${bot.name} is being ended…`;
  if (trouble?.phase === "starting") return `${bot.name} is starting again…`;
  return bot.online ? "" : `${bot.name} is offline: reconnecting…`;
}
