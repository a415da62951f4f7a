"""Parlour with a picture service that draws nothing: it returns the same file for every picture.

Run as a process: `python -m tests.bench.static_picture_bot FILE run`; what follows FILE is Parlour's command line.
"""

import sys
from pathlib import Path

from bot.commands.app import app
from bot.pictures.service import FILE_NAME, PictureFile, PictureService
from bot.rules.picture import Picture, Theme


def main(file: Path) -> None:
    """Run Parlour with the file instead of every picture."""
    ready = PictureFile(file.read_bytes(), FILE_NAME, "A table.")

    def draw_ready(_service: PictureService, _picture: Picture, _theme: Theme = Theme.STANDARD) -> PictureFile:
        return ready

    PictureService.draw_if_quick = draw_ready  # type: ignore[assignment, method-assign]
    app()


if __name__ == "__main__":
    main(Path(sys.argv.pop(1)))
