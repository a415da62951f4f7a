"""`python -m bot.tools.design`: writes the assignments of Mr. Houdini's Baggage to `data/`, the same each time."""

from bot.games.houdinis_baggage.design import design_assignments, format_toml
from bot.platform.content import DATA

FILE = DATA / "houdinis_baggage" / "assignments.toml"


def main() -> None:
    """Write the file."""
    FILE.write_text(format_toml(design_assignments()), encoding="utf-8")


if __name__ == "__main__":
    main()
