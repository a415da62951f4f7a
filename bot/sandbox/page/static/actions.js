/** Sends the user's actions to the sandbox: messages, commands, clicks, choices, forms, trouble. */

import { freshNonce } from "./activity.js";

const ANSWER_WITHIN = 4000;

/** Sends actions over `line`, and tells `activity` which of them wait for an answer. */
export class Actions {
  #line;
  #pageState;
  #activity;
  #suggestions = new Map();

  constructor(line, pageState, activity) {
    this.#line = line;
    this.#pageState = pageState;
    this.#activity = activity;
  }

  say(text) {
    return this.#speak({ do: "say", text }, text, false);
  }

  slash(command, options) {
    return this.#speak({ do: "slash", command, options }, `/${command}`, true);
  }

  /** Sends a command from a single click; the second click of a double one is left out. */
  slashOnce(command) {
    const { channel, me } = this.#pageState;
    return !this.#activity.isSpeaking(channel, me, `/${command}`) && this.slash(command, {});
  }

  click(message, customId) {
    if (this.#activity.isBusy(message, customId, this.#pageState.me)) return;
    this.#touch({ do: "click", message, custom_id: customId });
  }

  choose(message, customId, values) {
    this.#touch({ do: "select", message, custom_id: customId, values });
  }

  dismiss(message) {
    this.#line.send({ do: "dismiss", message });
  }

  /** Starts a thread in the open channel; null when nobody would hear of it, otherwise the name of the request. */
  startThread(name) {
    return this.#ask({ do: "thread", channel: this.#pageState.parent, name });
  }

  cause(trouble) {
    this.#line.send({ do: "trouble", nonce: "trouble", ...trouble });
  }

  /** Asks the bot for suggestions; no answer in time is an empty list. */
  complete(command, options, focused) {
    const nonce = freshNonce();
    return new Promise((resolve) => {
      const settle = (choices) => {
        this.#suggestions.delete(nonce);
        resolve(choices);
      };
      this.#suggestions.set(nonce, settle);
      setTimeout(settle, ANSWER_WITHIN, []);
      this.#line.send({ do: "complete", nonce, channel: this.#pageState.channel, command, options, focused });
    });
  }

  /** Takes in the bot's suggestions. */
  suggested(nonce, choices) {
    this.#suggestions.get(nonce)?.(choices);
  }

  #ask(frame) {
    const nonce = freshNonce();
    return this.#line.send({ ...frame, nonce }) ? nonce : null;
  }

  #speak(frame, shown, isCommand) {
    const nonce = freshNonce();
    const { me, channel } = this.#pageState;
    if (!this.#line.send({ ...frame, nonce, channel })) return false;
    this.#activity.speak(nonce, me, channel, shown, isCommand);
    return true;
  }

  #touch(frame) {
    const nonce = freshNonce();
    if (!this.#line.send({ ...frame, nonce })) return;
    this.#activity.touch(nonce, this.#pageState.me, frame.message, frame.custom_id, frame.values);
  }
}
