"""`python -m tests.golden` writes the golden files again; with names of files, those alone.

Read what has changed (`git diff tests/golden`) before you commit it.
"""

from argparse import ArgumentParser

from tests.golden.files import FOLDER, GOLDENS, existing_files


def main() -> None:
    """Read the command line and write the files."""
    parser = ArgumentParser(prog="python -m tests.golden", description="Write the golden files again.")
    parser.add_argument("files", nargs="*", choices=[[], *GOLDENS], help="only these files")
    chosen = parser.parse_args().files or list(GOLDENS)
    for name in existing_files() - GOLDENS.keys():
        (FOLDER / name).unlink()
    for name in chosen:
        (FOLDER / name).write_text(GOLDENS[name](), encoding="utf-8")


if __name__ == "__main__":
    main()
