/** What the reader does, sent to the sandbox: words, commands, clicks, choices, forms, trouble. */

import { freshNonce } from "./activity.js";

const ANSWER_WITHIN = 4000;

/** Sends over `line` what happens in the scene, and lets `activity` know what waits for an answer. */
export class Deeds {
  #line;
  #scene;
  #activity;
  #suggestions = new Map();

  constructor(line, scene, activity) {
    this.#line = line;
    this.#scene = scene;
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
    const { channel, me } = this.#scene;
    return !this.#activity.isSpeaking(channel, me, `/${command}`) && this.slash(command, {});
  }

  click(message, customId) {
    if (this.#activity.isBusy(message, customId, this.#scene.me)) return;
    this.#touch({ do: "click", message, custom_id: customId });
  }

  choose(message, customId, values) {
    this.#touch({ do: "select", message, custom_id: customId, values });
  }

  dismiss(message) {
    this.#line.send({ do: "dismiss", message });
  }

  /** Sends a form that was filled in; null when nobody would get it, otherwise the name of the request. */
  submit(modal, entries) {
    return this.#ask({ do: "submit", modal, entries });
  }

  /** Starts a thread in the open channel; the same answer. */
  startThread(name) {
    return this.#ask({ do: "thread", channel: this.#scene.parent, name });
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
      this.#line.send({ do: "complete", nonce, channel: this.#scene.channel, command, options, focused });
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
    const { me, channel } = this.#scene;
    if (!this.#line.send({ ...frame, nonce, channel })) return false;
    this.#activity.speak(nonce, me, channel, shown, isCommand);
    return true;
  }

  #touch(frame) {
    const nonce = freshNonce();
    if (!this.#line.send({ ...frame, nonce })) return;
    this.#activity.touch(nonce, this.#scene.me, frame.message, frame.custom_id, frame.values);
  }
}
