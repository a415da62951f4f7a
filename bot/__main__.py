"""The command line: `python -m bot`."""

import atexit
import gc
import sys

from bot.platform.streams_and_signals import exit_on_stop_signals, prepare_streams

if __name__ == "__main__":
    prepare_streams()
    if sys.argv[1:2] in (["run"], ["demo"]):
        # They end in order once they have begun.
        exit_on_stop_signals()
    # Objects of the start live on: collecting garbage after every 700 allocations took a tenth of its time.
    gc.set_threshold(300_000)
    # A last collection before the process ends would take half a second for nothing.
    atexit.register(gc.freeze)

    from bot.commands.app import app

    app()
