/** Puts the page together: what comes over the line changes the scene, what the reader does goes out. */

import { Activity, freshNonce } from "./activity.js";
import { findSelect } from "./components.js";
import { Composer } from "./composer.js";
import { at, icon } from "./dom.js";
import { Feed, noteNode } from "./feed.js";
import { listen, toggleDrawer } from "./gestures.js";
import { messageNode, nameOf, words } from "./message.js";
import { morph } from "./morph.js";
import { Scene } from "./scene.js";
import { SelectMenu } from "./selectmenu.js";
import { channelItems, directItems, personChips, placeNodes, presenceNodes, welcomeNodes } from "./sidebar.js";
import { Line } from "./socket.js";
import { keepTimes } from "./time.js";

const ANSWER_WITHIN = 4000;
const TOAST_FOR = 5000;
const LONGEST_ANNOUNCEMENT = 400;

const scene = new Scene();
const activity = new Activity(activityChanged);
const feed = new Feed(
  { frame: at("feed"), list: at("messages"), pill: at("newer") },
  (message) => messageNode(message, scene, activity),
);
const line = new Line(receive, lineChanged);
const menu = new SelectMenu(at("select-menu"), choose);
const composer = new Composer(
  {
    sender: at("sender"),
    input: at("composer"),
    picker: at("picker"),
    options: at("options"),
    error: at("composer-error"),
  },
  scene,
  { say, slash, complete },
);
const suggestions = new Map();
let jumpTo = null;
let toastTimer = 0;

// What comes in

function receive(frame) {
  RECEIVERS[frame.t]?.(frame);
}

const RECEIVERS = {
  hello(frame) {
    scene.greet(frame);
    if (scene.me !== frame.you) line.send({ do: "be", person: scene.me });
    if (scene.channel !== frame.channel) line.send({ do: "open", channel: scene.channel });
    drawAround();
  },
  you({ you }) {
    scene.shownAs = you;
  },
  messages({ channel, messages }) {
    // Lists that answer an earlier choice of person or channel come too late to be shown.
    if (channel !== scene.channel || scene.shownAs !== scene.me) return;
    feed.show(channel, messages);
    drawBelow();
    finishJump();
  },
  message({ op, message }) {
    if (message.channel_id === scene.channel) MESSAGE_CHANGES[op](message);
    else if (op === "create") markUnread(message.channel_id);
    drawBelow();
  },
  commands(frame) {
    scene.setCommands(frame);
    drawBelow();
    composer.refresh();
  },
  bot({ online }) {
    scene.bot.online = online;
    drawAround();
  },
  interaction(frame) {
    activity.progress(frame);
  },
  choices({ nonce, choices }) {
    suggestions.get(nonce)?.(choices);
  },
};

const MESSAGE_CHANGES = {
  create(message) {
    feed.put(message);
    announce(message);
  },
  update(message) {
    const before = feed.message(message.id);
    activity.settle(message.id);
    feed.put(message);
    if (before && words(before, scene) !== words(message, scene)) announce(message);
  },
  delete(message) {
    feed.remove(message.id);
  },
};

function lineChanged(isOpen) {
  scene.connected = isOpen;
  if (!isOpen) activity.lose();
  drawBanner();
}

function markUnread(channel) {
  scene.unread.add(channel);
  drawChannels();
}

function activityChanged(deed) {
  if (deed?.message) feed.refresh(deed.message);
  else drawNotes();
}

// What goes out

function be(person) {
  if (person === scene.me || !scene.person(person)) return;
  scene.become(person);
  line.send({ do: "be", person });
  drawAround();
}

function open(channel) {
  toggleDrawer(false);
  if (channel === scene.channel) return;
  scene.choose({ channel });
  line.send({ do: "open", channel });
  drawAround();
}

function say(text) {
  return speak({ do: "say", text }, text, false);
}

function slash(command, options) {
  return speak({ do: "slash", command, options }, `/${command}`, true);
}

/** Sends a command from a single click; the second click of a double one is left out. */
function slashOnce(command) {
  if (!activity.isSpeaking(scene.channel, scene.me, `/${command}`)) slash(command, {});
}

function speak(frame, shown, isCommand) {
  const nonce = freshNonce();
  if (!line.send({ ...frame, nonce, channel: scene.channel })) return false;
  activity.speak(nonce, scene.me, scene.channel, shown, isCommand);
  feed.toBottom();
  return true;
}

function click(message, customId) {
  if (activity.isBusy(message, customId, scene.me)) return;
  touch({ do: "click", message, custom_id: customId });
}

function choose(message, customId, values) {
  touch({ do: "select", message, custom_id: customId, values });
}

function touch(frame) {
  const nonce = freshNonce();
  if (!line.send({ ...frame, nonce })) return;
  activity.touch(nonce, scene.me, frame.message, frame.custom_id, frame.values);
}

/** Asks the bot for suggestions; no answer in time is an empty list. */
function complete(command, options, focused) {
  const nonce = freshNonce();
  return new Promise((resolve) => {
    const settle = (choices) => {
      suggestions.delete(nonce);
      resolve(choices);
    };
    suggestions.set(nonce, settle);
    setTimeout(settle, ANSWER_WITHIN, []);
    line.send({ do: "complete", nonce, channel: scene.channel, command, options, focused });
  });
}

function jump({ jumpChannel: channel, jumpMessage: message }) {
  jumpTo = message ?? null;
  if (channel === scene.channel) finishJump();
  else open(channel);
}

function finishJump() {
  if (jumpTo && !feed.flash(jumpTo)) toast("That message is not here any more.");
  jumpTo = null;
}

// What is drawn

function drawAround() {
  at("server").textContent = scene.servers[0].name;
  at("place").replaceChildren(...placeNodes(scene));
  document.title = `${scene.placeName(scene.channel)} · ${scene.servers[0].name}`;
  redraw(at("people"), personChips(scene));
  redraw(at("presence"), presenceNodes(scene));
  drawChannels();
  drawBelow();
  drawBanner();
  composer.refresh();
}

function drawChannels() {
  redraw(at("channels"), channelItems(scene));
  redraw(at("directs"), directItems(scene));
}

function drawBelow() {
  at("welcome").hidden = !feed.isEmpty;
  redraw(at("welcome"), feed.isEmpty ? welcomeNodes(scene) : []);
  drawNotes();
}

function drawNotes() {
  redraw(at("notes"), activity.spoken(scene.channel, scene.me).map((deed) => noteNode(deed, scene)));
}

function drawBanner() {
  const isBotAway = scene.bot !== null && !scene.bot.online;
  at("banner").hidden = scene.connected && !isBotAway;
  if (at("banner").hidden) return;
  at("banner").textContent = scene.connected
    ? `${scene.bot.name} is offline: reconnecting…`
    : "Not connected to the sandbox: trying again…";
}

/** Changes the children of a node in place, so that what has the focus keeps it. */
function redraw(node, children) {
  const fresh = node.cloneNode(false);
  fresh.append(...children);
  morph(node, fresh);
}

function announce(message) {
  const text = words(message, scene).slice(0, LONGEST_ANNOUNCEMENT);
  at("announcer").textContent = `${nameOf(message.author, scene)}: ${text}`;
}

function toast(sentence) {
  at("toast").textContent = sentence;
  at("toast").hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { at("toast").hidden = true; }, TOAST_FOR);
}

function openSelect(id, customId, anchor) {
  const select = findSelect(feed.message(id), customId);
  if (select) menu.show(anchor, id, select);
}

at("menu").append(icon("menu"));
at("send").append(icon("send"));
listen(scene, {
  be,
  open,
  click,
  jump,
  openSelect,
  dismiss: (message) => line.send({ do: "dismiss", message }),
  dismissNote: (nonce) => activity.dismiss(nonce),
  start: (command) => composer.start(command),
  slash: slashOnce,
  write: () => composer.focus(),
});
if (matchMedia("(hover: hover)").matches) composer.focus();
keepTimes();
line.open();
