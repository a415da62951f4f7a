"""Parlour with a studio that draws nothing: whatever picture is asked for, it hands out one and the same file.

Run as a process: `python -m tests.bench.static_picture_bot FILE run`; what follows FILE is Parlour's command line.
"""

import sys
from pathlib import Path

from bot.commands.app import app
from bot.pictures import service as studio
from bot.pictures.service import FILE_NAME, PictureFile, PictureService
from bot.rules.picture import Picture, Theme


def main(file: Path) -> None:
    """Run Parlour with the file in place of every picture."""
    ready = PictureFile(file.read_bytes(), FILE_NAME, "A table.")

    class ReadyStudio(PictureService):
        def at_once(self, _picture: Picture, _theme: Theme = Theme.STANDARD) -> PictureFile:
            return ready

    studio.PictureService = ReadyStudio  # type: ignore[misc]
    app()


if __name__ == "__main__":
    main(Path(sys.argv.pop(1)))
