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

/** Keeps track of requests by nonce; `changed(request)` is called whenever one of them changes. */
export class Activity {
  #requests = new Map();
  #changed;

  constructor(changed) {
    this.#changed = changed;
  }

  /** Notes that a person has clicked or chosen something under a message. */
  touch(nonce, person, message, customId, values = null) {
    this.#forget({ message, person }, (request) => request.isFailed);
    this.#begin({ nonce, person, message, customId, values });
  }

  /** Notes that a person has sent a command or a line of text. */
  speak(nonce, person, channel, text, isCommand) {
    this.#forget({ channel, person }, (request) => request.isFailed);
    const request = { nonce, person, channel, text, isCommand, isSlow: false };
    this.#begin(request);
    setTimeout(() => {
      request.isSlow = true;
      this.#changed(request);
    }, SLOW);
  }

  /** Takes in the server's word on a request. */
  progress({ nonce, state, text }) {
    const request = this.#requests.get(nonce);
    if (!request || state === "sent") return;
    if (state === "failed") this.#fail(request, text || (request.isCommand ? FAILED_COMMAND : FAILED));
    else this.#finish(request);
  }

  /** Fails all that waits, because the line has dropped. */
  lose() {
    for (const request of this.#all({}, (one) => one.isWaiting)) this.#fail(request, LOST);
  }

  /** Whether this person waits for an answer to this very component. */
  isBusy(message, customId, person) {
    return this.#find({ message, customId, person }, (request) => request.isWaiting) !== undefined;
  }

  /** What this person has just chosen in a select and the message does not show yet. */
  picked(message, customId, person) {
    return this.#find({ message, customId, person }, (request) => request.values && !request.isFailed)?.values ?? null;
  }

  /** The sentence under a message when this person's last attempt failed. */
  failure(message, person) {
    return this.#find({ message, person }, (request) => request.isFailed)?.reason ?? null;
  }

  /** Commands and lines of this person in a channel that have waited for a while or have failed. */
  spoken(channel, person) {
    return this.#all({ channel, person }, (request) => request.isSlow || request.isFailed);
  }

  /** Whether this very command of this person is under way. */
  isSpeaking(channel, person, text) {
    return this.#find({ channel, person, text }, (request) => request.isWaiting) !== undefined;
  }

  /** An edit of a message settles what was chosen and what failed under it: the bot's word counts. */
  settle(message) {
    this.#forget({ message }, (request) => !request.isWaiting);
    for (const request of this.#all({ message }, () => true)) request.values = null;
  }

  dismiss(nonce) {
    const request = this.#requests.get(nonce);
    this.#requests.delete(nonce);
    this.#changed(request);
  }

  #begin(request) {
    Object.assign(request, { isWaiting: true, isFailed: false, reason: null });
    this.#requests.set(request.nonce, request);
    this.#changed(request);
  }

  #fail(request, reason) {
    Object.assign(request, { isWaiting: false, isFailed: true, reason });
    this.#changed(request);
  }

  #finish(request) {
    request.isWaiting = false;
    // A choice stays to be seen until the message is edited.
    if (!request.values) this.#requests.delete(request.nonce);
    this.#changed(request);
  }

  /** The requests with these properties that pass the test, oldest first. */
  #all(properties, test) {
    const fits = (request) => Object.entries(properties).every(([name, value]) => request[name] === value);
    return [...this.#requests.values()].filter((request) => fits(request) && test(request));
  }

  #find(properties, test) {
    return this.#all(properties, test).at(-1);
  }

  #forget(properties, test) {
    for (const request of this.#all(properties, test)) this.#requests.delete(request.nonce);
  }
}
