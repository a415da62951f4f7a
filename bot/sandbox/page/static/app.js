/** Puts the page together: frames from the server change the state, and the user's actions are sent. */

import { Actions } from "./actions.js";
import { Activity } from "./activity.js";
import { findSelect } from "./components.js";
import { Composer } from "./composer.js";
import { at, beginning, icon } from "./dom.js";
import { Feed, noteNode } from "./feed.js";
import { listen, toggleDrawer } from "./gestures.js";
import { Languages } from "./languages.js";
import { messageNode, nameOf, words } from "./message.js";
import { ThreadForm } from "./threadform.js";
import { stoppable } from "./motion.js";
import { redraw } from "./morph.js";
import { PageState } from "./pagestate.js";
import { SelectMenu } from "./selectmenu.js";
import { drawBot, drawChannels, drawShell, drawWelcome, toast } from "./shell.js";
import { Line } from "./socket.js";
import { switchable } from "./theme.js";
import { keepTimes } from "./time.js";
import { TroublePanel } from "./troublepanel.js";
import { Viewer } from "./viewer.js";

const LONGEST_ANNOUNCEMENT = 400;

const pageState = new PageState();
const activity = new Activity(activityChanged);
const feed = new Feed(
  { frame: at("feed"), list: at("messages"), pill: at("newer") },
  (message) => messageNode(message, pageState, activity),
);
const line = new Line(receive, lineChanged);
const actions = new Actions(line, pageState, activity);
const languages = new Languages(at("languages"), pageState, (owner, locale) => line.send({ do: "speak", owner, locale }));
const menu = new SelectMenu(at("select-menu"), (...choice) => actions.choose(...choice));
const threadForm = new ThreadForm(at("thread-form"));
const viewer = new Viewer(at("viewer"));
const panel = new TroublePanel(
  { panel: at("trouble"), toggle: at("trouble-toggle") },
  pageState,
  (trouble) => actions.cause(trouble),
);
const composer = new Composer(
  {
    sender: at("sender"),
    input: at("composer"),
    picker: at("picker"),
    options: at("options"),
    error: at("composer-error"),
  },
  pageState,
  {
    say: (text) => toEnd(actions.say(text)),
    slash: (command, options) => toEnd(actions.slash(command, options)),
    complete: (...asked) => actions.complete(...asked),
  },
);
let jumpTo = null;

// What comes in

function receive(frame) {
  RECEIVERS[frame.t]?.(frame);
}

const RECEIVERS = {
  hello(frame) {
    pageState.greet(frame);
    if (pageState.me !== frame.you) line.send({ do: "be", person: pageState.me });
    if (pageState.channel !== frame.channel) line.send({ do: "open", channel: pageState.channel });
    languages.restore();
    draw();
  },
  you({ you }) {
    pageState.shownAs = you;
  },
  places({ you, ...places }) {
    if (you !== pageState.me) return;
    const before = pageState.channel;
    pageState.setPlaces(places);
    if (pageState.channel !== before) line.send({ do: "open", channel: pageState.channel });
    draw();
  },
  messages({ channel, messages }) {
    // Lists that answer an earlier choice of person or channel come too late to be shown.
    if (channel !== pageState.channel || pageState.shownAs !== pageState.me) return;
    feed.show(channel, messages, pageState.firstNew);
    at("feed").ariaBusy = "false";
    drawBelow();
    finishJump();
  },
  message({ op, message }) {
    if (message.channel_id === pageState.channel) MESSAGE_CHANGES[op](message);
    else if (op === "create") markUnread(message);
    drawBelow();
  },
  commands(frame) {
    pageState.setCommands(frame);
    drawBelow();
    composer.refresh();
  },
  locales({ owners }) {
    pageState.locales = owners;
    languages.draw();
  },
  bot({ online }) {
    pageState.bot.online = online;
    drawState();
  },
  trouble({ channel, ...trouble }) {
    if (channel !== pageState.channel) return;
    pageState.trouble = trouble;
    drawState();
  },
  interaction(frame) {
    if (frame.nonce === "trouble") panel.refuse(frame.text ?? "");
    threadForm.progress(frame);
    activity.progress(frame);
  },
  choices({ nonce, choices }) {
    actions.suggested(nonce, choices);
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
    if (before && words(before, pageState) !== words(message, pageState)) announce(message);
  },
  delete(message) {
    feed.remove(message.id);
  },
};

function lineChanged(isOpen) {
  pageState.connected = isOpen;
  if (!isOpen) activity.lose();
  drawState();
}

function markUnread({ id, channel_id: channel }) {
  pageState.markUnread(channel, id);
  drawChannels(pageState);
}

function activityChanged(request) {
  if (request?.message) feed.refresh(request.message);
  else drawNotes();
}

// What the reader does

function be(person) {
  if (person === pageState.me || !pageState.person(person)) return;
  pageState.become(person);
  lookElsewhere({ do: "be", person });
  draw();
}

function open(channel) {
  toggleDrawer(false);
  if (channel === pageState.channel) return;
  pageState.choose({ channel });
  lookElsewhere({ do: "open", channel });
  draw();
}

/** Asks for other messages; until they come those of before stand there. */
function lookElsewhere(frame) {
  at("feed").ariaBusy = "true";
  line.send(frame);
}

function toEnd(wasSent) {
  if (wasSent) {
    feed.unmark();
    feed.toBottom();
  }
  return wasSent;
}

function jump({ jumpChannel: channel, jumpMessage: message }) {
  jumpTo = message ?? null;
  if (channel === pageState.channel) finishJump();
  else open(channel);
}

function finishJump() {
  if (jumpTo && !feed.flash(jumpTo)) toast("That message is not here any more.");
  jumpTo = null;
}

function openSelect(id, customId, anchor) {
  const select = findSelect(feed.message(id), customId, pageState);
  if (select) menu.show(anchor, id, select);
}

function startThread() {
  threadForm.show(pageState.channelName(pageState.parent), (name) => actions.startThread(name), open);
}

// What is drawn

function draw() {
  drawShell(pageState);
  languages.draw();
  drawBelow();
  panel.draw();
  composer.refresh();
}

function drawBelow() {
  drawWelcome(pageState, feed.isEmpty);
  drawNotes();
}

function drawNotes() {
  redraw(at("notes"), activity.spoken(pageState.channel, pageState.me).map((request) => noteNode(request, pageState)));
}

function drawState() {
  drawBot(pageState);
  panel.draw();
}

function announce(message) {
  const text = beginning(words(message, pageState), LONGEST_ANNOUNCEMENT);
  at("announcer").textContent = `${nameOf(message.author, pageState)}: ${text}`;
}

at("menu").append(icon("menu"));
at("send").append(icon("send"));
switchable(at("theme"));
stoppable(at("motion"), () => feed.redraw());
listen(pageState, {
  be,
  open,
  jump,
  openSelect,
  startThread,
  click: (...clicked) => actions.click(...clicked),
  enlarge: (link) => viewer.show(link),
  dismiss: (message) => actions.dismiss(message),
  dismissNote: (nonce) => activity.dismiss(nonce),
  start: (command) => composer.start(command),
  slash: (command) => toEnd(actions.slashOnce(command)),
  write: () => composer.focus(),
});
if (matchMedia("(hover: hover)").matches) composer.focus();
keepTimes();
line.open();
