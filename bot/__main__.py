"""The command line: `python -m bot`."""

import atexit
import gc

if __name__ == "__main__":
    # What a start makes stays: looking for garbage every seven hundred new things took a tenth of it.
    gc.set_threshold(300_000)
    # What is left at the end goes with the process: to look through all of it once more takes half a second.
    atexit.register(gc.freeze)

    from bot.commands.app import app

    app()
