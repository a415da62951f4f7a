/** What people of this window have done and how it went: waiting, done, or failed. */

const FAILED = "This interaction failed";
const FAILED_COMMAND = "The application did not respond";
const LOST = "The connection was lost before an answer came";

/** A wait is shown only when it lasts. */
const SLOW = 400;

let counter = 0;

/** A name for one request that no other window uses. */
export function freshNonce() {
  counter += 1;
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}-${counter}`;
}

/** Keeps track of requests by nonce; `changed(deed)` is called whenever one of them changes. */
export class Activity {
  #deeds = new Map();
  #changed;

  constructor(changed) {
    this.#changed = changed;
  }

  /** Notes that a person has clicked or chosen something under a message. */
  touch(nonce, person, message, customId, values = null) {
    this.#forget({ message, person }, (deed) => deed.isFailed);
    this.#begin({ nonce, person, message, customId, values });
  }

  /** Notes that a person has sent a command or a line of text. */
  speak(nonce, person, channel, text, isCommand) {
    this.#forget({ channel, person }, (deed) => deed.isFailed);
    const deed = { nonce, person, channel, text, isCommand, isSlow: false };
    this.#begin(deed);
    setTimeout(() => {
      deed.isSlow = true;
      this.#changed(deed);
    }, SLOW);
  }

  /** Takes in the server's word on a request. */
  progress({ nonce, state, text }) {
    const deed = this.#deeds.get(nonce);
    if (!deed || state === "sent") return;
    if (state === "failed") this.#fail(deed, text || (deed.isCommand ? FAILED_COMMAND : FAILED));
    else this.#finish(deed);
  }

  /** Fails all that waits, because the line has dropped. */
  lose() {
    for (const deed of this.#all({}, (one) => one.isWaiting)) this.#fail(deed, LOST);
  }

  /** Whether this person waits for an answer to this very component. */
  isBusy(message, customId, person) {
    return this.#find({ message, customId, person }, (deed) => deed.isWaiting) !== undefined;
  }

  /** What this person has just chosen in a select and the message does not show yet. */
  picked(message, customId, person) {
    return this.#find({ message, customId, person }, (deed) => deed.values && !deed.isFailed)?.values ?? null;
  }

  /** The sentence under a message when this person's last attempt failed. */
  failure(message, person) {
    return this.#find({ message, person }, (deed) => deed.isFailed)?.reason ?? null;
  }

  /** Commands and lines of this person in a channel that have waited for a while or have failed. */
  spoken(channel, person) {
    return this.#all({ channel, person }, (deed) => deed.isSlow || deed.isFailed);
  }

  /** Whether this very command of this person is under way. */
  isSpeaking(channel, person, text) {
    return this.#find({ channel, person, text }, (deed) => deed.isWaiting) !== undefined;
  }

  /** An edit of a message settles what was chosen and what failed under it: the bot's word counts. */
  settle(message) {
    this.#forget({ message }, (deed) => !deed.isWaiting);
    for (const deed of this.#all({ message }, () => true)) deed.values = null;
  }

  dismiss(nonce) {
    const deed = this.#deeds.get(nonce);
    this.#deeds.delete(nonce);
    this.#changed(deed);
  }

  #begin(deed) {
    Object.assign(deed, { isWaiting: true, isFailed: false, reason: null });
    this.#deeds.set(deed.nonce, deed);
    this.#changed(deed);
  }

  #fail(deed, reason) {
    Object.assign(deed, { isWaiting: false, isFailed: true, reason });
    this.#changed(deed);
  }

  #finish(deed) {
    deed.isWaiting = false;
    // A choice stays to be seen until the message is edited.
    if (!deed.values) this.#deeds.delete(deed.nonce);
    this.#changed(deed);
  }

  /** The deeds with these properties that pass the test, oldest first. */
  #all(properties, test) {
    const fits = (deed) => Object.entries(properties).every(([name, value]) => deed[name] === value);
    return [...this.#deeds.values()].filter((deed) => fits(deed) && test(deed));
  }

  #find(properties, test) {
    return this.#all(properties, test).at(-1);
  }

  #forget(properties, test) {
    for (const deed of this.#all(properties, test)) this.#deeds.delete(deed.nonce);
  }
}
