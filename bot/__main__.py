"""The command line: `python -m bot`."""

import atexit
import gc

from bot.commands.app import app

if __name__ == "__main__":
    # What a start makes stays: garbage is looked for when there are ten thousand new things, not seven hundred.
    gc.set_threshold(10_000)
    # What is left at the end goes with the process: to look through all of it once more takes half a second.
    atexit.register(gc.freeze)
    app()
