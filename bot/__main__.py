"""The command line: `python -m bot`."""

import atexit
import gc

if __name__ == "__main__":
    # Objects of the start live on: collecting garbage after every 700 allocations took a tenth of its time.
    gc.set_threshold(300_000)
    # A last collection before the process ends would take half a second for nothing.
    atexit.register(gc.freeze)

    from bot.commands.app import app

    app()
