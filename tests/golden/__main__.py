"""`python -m tests.golden` writes the golden files again; with names of files or keys of games, those alone.

Read what has changed (`git diff tests/golden`) before you commit it.
"""

from argparse import ArgumentParser

from tests.golden.files import FOLDER, GOLDENS, existing_files


def main() -> None:
    """Read the command line and write the files."""
    parser = ArgumentParser(prog="python -m tests.golden", description="Write the golden files again.")
    parser.add_argument("files", nargs="*", choices=[[], *GOLDENS], help="only these files")
    parser.add_argument("--game", action="append", default=[], metavar="KEY", help="only the files of this game")
    wanted = parser.parse_args()
    of_games = [name for name in GOLDENS if any(name.endswith(f"_{key}.txt") for key in wanted.game)]
    chosen = [*wanted.files, *of_games] or list(GOLDENS)
    for name in existing_files() - GOLDENS.keys():
        (FOLDER / name).unlink()
    for name in chosen:
        (FOLDER / name).write_text(GOLDENS[name](), encoding="utf-8")


if __name__ == "__main__":
    main()
