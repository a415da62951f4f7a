/** Draws what stands around the messages: servers, people, the bot's state, banner and toast. */

import { at } from "./dom.js";
import { redraw } from "./morph.js";
import { directItems, personChips, placeNodes, presenceNodes, serverNodes, welcomeNodes } from "./sidebar.js";

const TOAST_FOR = 5000;
let toastTimer = 0;

/** Draws everything that depends on who is where. */
export function drawAround(scene) {
  const place = scene.placeName(scene.channel);
  at("place").replaceChildren(...placeNodes(scene).filter(Boolean));
  document.title = scene.server ? `${place} · ${scene.server.name}` : place;
  redraw(at("people"), personChips(scene));
  drawChannels(scene);
  drawBot(scene);
}

export function drawChannels(scene) {
  redraw(at("servers"), serverNodes(scene));
  redraw(at("directs"), directItems(scene));
  at("menu").classList.toggle("unread", scene.hasUnread);
  at("menu").setAttribute("aria-label", scene.hasUnread ? "Channels (new messages)" : "Channels");
}

/** Says how the bot is, at the foot of the channels and, when it is away, across the page. */
export function drawBot(scene) {
  if (scene.bot) redraw(at("presence"), presenceNodes(scene));
  const words = bannerWords(scene);
  at("banner").hidden = !words;
  at("banner").textContent = words;
}

export function drawWelcome(scene, isEmpty) {
  at("welcome").hidden = !isEmpty;
  redraw(at("welcome"), isEmpty ? welcomeNodes(scene) : []);
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
