"""How commands read the settings."""

import json
import logging
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.commands.console import set_up_logging
from bot.platform.observability.metrics import Metrics
from bot.settings import LogFormat, LogLevel, Settings
from tests.commands.run_command import run_command
from tests.support.each_case import each_case

TOKEN = "MTIzNDU2Nzg5.GhIjKl.very-secret-part"


SetUp = Callable[[Settings, Metrics], None]


@pytest.fixture
def set_up(remove_log_handlers: Callable[[], None]) -> SetUp:
    """Set logging up as at a start, when there are no handlers yet."""

    def start(settings: Settings, metrics: Metrics) -> None:
        remove_log_handlers()
        set_up_logging(settings, metrics)

    return start


def make_settings(level: LogLevel = LogLevel.INFO, form: LogFormat = LogFormat.TEXT) -> Settings:
    url = SecretStr("postgresql://parlour:slash%2Fword@one,[::1]:5433/parlour")
    return Settings.model_construct(
        discord_token=SecretStr(TOKEN),
        discord_proxy=SecretStr("http://parlour:proxy%2Fword@proxy.example:3128"),
        database_url=url,
        log_level=level,
        log_format=form,
    )


@each_case(
    "url, folder",
    [
        ("sqlite+aiosqlite:///var/parlour.sqlite3", Path("var")),
        ("sqlite+aiosqlite:////srv/tables/parlour.sqlite3?timeout=5", Path("/srv/tables")),
        ("sqlite+aiosqlite:////srv/tables/parlour.sqlite3?vfs=a/b", Path("/srv/tables")),
        ("sqlite+aiosqlite:///file:var/parlour.sqlite3?uri=true", Path("var")),
        ("sqlite+aiosqlite:///file:/srv/tables/parlour.sqlite3?uri=true", Path("/srv/tables")),
        ("sqlite+aiosqlite:///file:///srv/my%20tables/parlour.sqlite3?uri=true", Path("/srv/my tables")),
        ("postgresql://parlour@host/parlour", None),
    ],
)
def test_the_folder_is_found_in_every_form_of_file_address(url: str, folder: Path | None) -> None:
    """The disk that it is on is watched."""
    settings = Settings.model_construct(database_url=SecretStr(url))
    assert (settings.database_folder, settings.picture_folder) == (folder, (folder or Path("var")) / "pictures")


@each_case(
    "command",
    [
        "run",
        "health",
        "stats",
        "announce x",
        "database ratings",
        "database backup x.sqlite3",
        "database restore x.sqlite3",
    ],
)
def test_a_misspelt_setting_is_named_by_every_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    (tmp_path / ".env").write_text("TOKEN=x\n")
    monkeypatch.setenv("DATABASE_ULR", "sqlite+aiosqlite:///elsewhere.sqlite3")
    said = run_command(*command.split()).err
    assert "TOKEN in .env is no setting; is DISCORD_TOKEN meant?\n" in said
    assert "DATABASE_ULR in the environment is no setting; is DATABASE_URL meant?\n" in said


@pytest.mark.parametrize("form", LogFormat)
def test_the_log_has_its_format_and_hides_the_secrets(
    set_up: SetUp, capfd: pytest.CaptureFixture[str], form: LogFormat
) -> None:
    set_up(make_settings(form=form), Metrics())
    secrets = (TOKEN, "slash%2Fword", "slash/word", "proxy%2Fword", "proxy/word")
    logging.getLogger("bot").info("secrets: %s", ", ".join(secrets))
    line = capfd.readouterr().err
    assert "secrets: " in line
    assert [secret for secret in secrets if secret in line] == []
    if form is LogFormat.JSON:
        json.loads(line)


@pytest.mark.parametrize(
    ("level", "logger", "shown"),
    [
        (LogLevel.INFO, "bot", logging.INFO),
        (LogLevel.INFO, "discord.client", logging.WARNING),
        (LogLevel.INFO, "psycopg", logging.ERROR),
        (LogLevel.DEBUG, "bot", logging.DEBUG),
        (LogLevel.DEBUG, "discord.client", logging.DEBUG),
        (LogLevel.DEBUG, "discord.http", logging.INFO),
    ],
)
def test_the_log_level_is_the_bots_and_libraries_log_less(
    set_up: SetUp, level: LogLevel, logger: str, shown: int
) -> None:
    set_up(make_settings(level), Metrics())
    assert logging.getLogger(logger).getEffectiveLevel() == shown
