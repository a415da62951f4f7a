"""Parlour with a studio that draws nothing: whatever picture is asked for, it hands out one and the same file.

Run as a process: `python -m tests.bench.ready_parlour FILE run`; what follows the file is Parlour's own command line.
"""

import sys
from pathlib import Path

from bot.commands.app import app
from bot.pictures import service as studio
from bot.pictures.service import FILE_NAME, Drawn, Studio
from bot.rules.picture import Picture, Theme


def main(file: Path) -> None:
    """Run Parlour with the file in place of every picture."""
    ready = Drawn(file.read_bytes(), FILE_NAME, "A table.")

    class ReadyStudio(Studio):
        def at_once(self, _picture: Picture, _theme: Theme = Theme.STANDARD) -> Drawn:
            return ready

    studio.Studio = ReadyStudio  # type: ignore[misc]
    app()


if __name__ == "__main__":
    main(Path(sys.argv.pop(1)))
