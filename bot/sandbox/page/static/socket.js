/** The line to the sandbox: JSON frames both ways, opened again by itself whenever it drops. */

const FIRST_DELAY = 250;
const LONGEST_DELAY = 4000;

/** A connection that calls `receive(frame)` for what comes and `changed(isOpen)` when it opens or drops. */
export class Line {
  #receive;
  #changed;
  #socket = null;
  #delay = FIRST_DELAY;

  constructor(receive, changed) {
    this.#receive = receive;
    this.#changed = changed;
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/page/socket`);
    this.#socket = socket;
    socket.addEventListener("message", ({ data }) => this.#take(JSON.parse(data)));
    socket.addEventListener("close", () => this.#retry());
  }

  /** Sends a frame; false when nobody would get it. */
  send(frame) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  #take(frame) {
    this.#receive(frame);
    if (frame.t !== "hello") return;
    this.#delay = FIRST_DELAY;
    this.#changed(true);
  }

  #retry() {
    this.#changed(false);
    setTimeout(() => this.open(), this.#delay);
    this.#delay = Math.min(this.#delay * 2, LONGEST_DELAY);
  }
}
