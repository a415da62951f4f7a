"""What commands find out about the settings."""

from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.settings import Settings


@pytest.mark.parametrize(
    ("url", "folder"),
    [
        ("sqlite+aiosqlite:///var/parlour.sqlite3", Path("var")),
        ("sqlite+aiosqlite:////srv/tables/parlour.sqlite3?timeout=5", Path("/srv/tables")),
        ("sqlite+aiosqlite:///file:var/parlour.sqlite3?uri=true", Path("var")),
        ("sqlite+aiosqlite:///file:/srv/tables/parlour.sqlite3?uri=true", Path("/srv/tables")),
        ("sqlite+aiosqlite:///file:///srv/my%20tables/parlour.sqlite3?uri=true", Path("/srv/my tables")),
        ("postgresql://parlour@host/parlour", None),
    ],
)
def test_the_folder_of_a_file_is_found_in_every_address_of_one(url: str, folder: Path | None) -> None:
    """The disk that it is on is watched."""
    assert Settings.model_construct(database_url=SecretStr(url)).database_folder == folder
