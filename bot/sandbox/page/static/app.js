/** Puts the page together: what comes over the line changes the scene, what the reader does goes out. */

import { Activity } from "./activity.js";
import { drawAround, drawBot, drawChannels, drawWelcome, toast } from "./around.js";
import { findSelect } from "./components.js";
import { Composer } from "./composer.js";
import { Deeds } from "./deeds.js";
import { at, icon } from "./dom.js";
import { Feed, noteNode } from "./feed.js";
import { listen, toggleDrawer } from "./gestures.js";
import { messageNode, nameOf, words } from "./message.js";
import { Modal, threadForm } from "./modal.js";
import { redraw } from "./morph.js";
import { Scene } from "./scene.js";
import { SelectMenu } from "./selectmenu.js";
import { Line } from "./socket.js";
import { switchable } from "./theme.js";
import { keepTimes } from "./time.js";
import { TroublePanel } from "./troublepanel.js";

const LONGEST_ANNOUNCEMENT = 400;

const scene = new Scene();
const activity = new Activity(activityChanged);
const feed = new Feed(
  { frame: at("feed"), list: at("messages"), pill: at("newer") },
  (message) => messageNode(message, scene, activity),
);
const line = new Line(receive, lineChanged);
const deeds = new Deeds(line, scene, activity);
const menu = new SelectMenu(at("select-menu"), (...choice) => deeds.choose(...choice));
const modal = new Modal(at("modal"), scene);
const panel = new TroublePanel(
  { panel: at("trouble"), toggle: at("trouble-toggle") },
  scene,
  (trouble) => deeds.cause(trouble),
);
const composer = new Composer(
  {
    sender: at("sender"),
    input: at("composer"),
    picker: at("picker"),
    options: at("options"),
    error: at("composer-error"),
  },
  scene,
  {
    say: (text) => toEnd(deeds.say(text)),
    slash: (command, options) => toEnd(deeds.slash(command, options)),
    complete: (...asked) => deeds.complete(...asked),
  },
);
let jumpTo = null;

// What comes in

function receive(frame) {
  RECEIVERS[frame.t]?.(frame);
}

const RECEIVERS = {
  hello(frame) {
    scene.greet(frame);
    if (scene.me !== frame.you) line.send({ do: "be", person: scene.me });
    if (scene.channel !== frame.channel) line.send({ do: "open", channel: scene.channel });
    draw();
  },
  you({ you }) {
    scene.shownAs = you;
  },
  places({ you, servers }) {
    if (you !== scene.me) return;
    const before = scene.channel;
    scene.setPlaces(servers);
    if (scene.channel !== before) line.send({ do: "open", channel: scene.channel });
    draw();
  },
  messages({ channel, messages }) {
    // Lists that answer an earlier choice of person or channel come too late to be shown.
    if (channel !== scene.channel || scene.shownAs !== scene.me) return;
    feed.show(channel, messages);
    at("feed").ariaBusy = "false";
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
    drawState();
  },
  trouble({ channel, ...trouble }) {
    if (channel !== scene.channel) return;
    scene.trouble = trouble;
    drawState();
  },
  modal({ modal: id, form }) {
    modal.show(form, (entries) => deeds.submit(id, entries));
  },
  interaction(frame) {
    if (frame.nonce === "trouble") panel.refuse(frame.text ?? "");
    modal.progress(frame);
    activity.progress(frame);
  },
  choices({ nonce, choices }) {
    deeds.suggested(nonce, choices);
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
  drawState();
}

function markUnread(channel) {
  scene.unread.add(channel);
  drawChannels(scene);
}

function activityChanged(deed) {
  if (deed?.message) feed.refresh(deed.message);
  else drawNotes();
}

// What the reader does

function be(person) {
  if (person === scene.me || !scene.person(person)) return;
  scene.become(person);
  lookElsewhere({ do: "be", person });
  draw();
}

function open(channel) {
  toggleDrawer(false);
  if (channel === scene.channel) return;
  scene.choose({ channel });
  lookElsewhere({ do: "open", channel });
  draw();
}

/** Asks for other messages; until they come those of before stand there. */
function lookElsewhere(frame) {
  at("feed").ariaBusy = "true";
  line.send(frame);
}

function toEnd(wasSent) {
  if (wasSent) feed.toBottom();
  return wasSent;
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

function openSelect(id, customId, anchor) {
  const select = findSelect(feed.message(id), customId, scene);
  if (select) menu.show(anchor, id, select);
}

function startThread() {
  modal.show(threadForm(scene.channelName(scene.parent)), ({ name }) => deeds.startThread(name), open);
}

// What is drawn

function draw() {
  drawAround(scene);
  drawBelow();
  panel.draw();
  composer.refresh();
}

function drawBelow() {
  drawWelcome(scene, feed.isEmpty);
  drawNotes();
}

function drawNotes() {
  redraw(at("notes"), activity.spoken(scene.channel, scene.me).map((deed) => noteNode(deed, scene)));
}

function drawState() {
  drawBot(scene);
  panel.draw();
}

function announce(message) {
  const text = words(message, scene).slice(0, LONGEST_ANNOUNCEMENT);
  at("announcer").textContent = `${nameOf(message.author, scene)}: ${text}`;
}

at("menu").append(icon("menu"));
at("send").append(icon("send"));
switchable(at("theme"));
listen(scene, {
  be,
  open,
  jump,
  openSelect,
  startThread,
  click: (...clicked) => deeds.click(...clicked),
  dismiss: (message) => deeds.dismiss(message),
  dismissNote: (nonce) => activity.dismiss(nonce),
  start: (command) => composer.start(command),
  slash: (command) => toEnd(deeds.slashOnce(command)),
  write: () => composer.focus(),
});
if (matchMedia("(hover: hover)").matches) composer.focus();
keepTimes();
line.open();
