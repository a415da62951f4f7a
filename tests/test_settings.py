"""The settings: accepted and refused values, error messages, and hidden secrets."""

import logging
import os
from pathlib import Path
from threading import Thread

import pytest
from pydantic import SecretStr, ValidationError

from bot.settings import (
    LogFormat,
    LogLevel,
    Settings,
    ShardsSetting,
    child_environment,
    describe_problems,
    find_doubts,
    find_overridden,
    read_settings_file,
)
from tests.support.each_case import each_case

TOKEN = "MTIzNDU2Nzg5.GhIjKl.very-secret-part"


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No variable of the machine, and no .env of the checkout, reaches a test."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    read_settings_file.cache_clear()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


def write_env_file(text: str) -> None:
    """Write `.env`, which a process reads once."""
    Path(".env").write_text(text, encoding="utf-8")
    read_settings_file.cache_clear()


def refusal(monkeypatch: pytest.MonkeyPatch, **variables: str) -> tuple[str, ...]:
    with monkeypatch.context() as environment:
        for name, value in variables.items():
            environment.setenv(name, value)
        with pytest.raises(ValidationError) as caught:
            Settings()
    return describe_problems(caught.value)


def test_empty_means_unset(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.setenv(name.upper(), "")
    assert Settings() == Settings.model_construct()


@each_case(
    "variable, text, value",
    [
        ("DISCORD_TOKEN", TOKEN, SecretStr(TOKEN)),
        ("DISCORD_TOKEN", f" {TOKEN}\n", SecretStr(TOKEN)),
        # As Docker hands on what is in a file for --env-file.
        ("DISCORD_TOKEN", f'"{TOKEN}"', SecretStr(TOKEN)),
        ("LOG_LEVEL", " 'debug'\r", LogLevel.DEBUG),
        ("DISCORD_API_URL", "http://127.0.0.1:8000/api/v10", "http://127.0.0.1:8000/api/v10"),
        ("DISCORD_API_URL", "http://127.0.0.1:8000/api/v10/", "http://127.0.0.1:8000/api/v10"),
        ("DISCORD_API_URL", "http://127.9.8.7:8000", "http://127.9.8.7:8000/api/v10"),
        ("DISCORD_API_URL", "http://LocalHost/", "http://localhost/api/v10"),
        ("DISCORD_API_URL", "http://[::1]:8000", "http://[::1]:8000/api/v10"),
        ("DISCORD_PROXY", " https://robin:hu%40h@[::1]:3128/\n", SecretStr("https://robin:hu%40h@[::1]:3128/")),
        ("DATABASE_URL", "sqlite+aiosqlite:////srv/p.sqlite3", SecretStr("sqlite+aiosqlite:////srv/p.sqlite3")),
        ("DATABASE_URL", "postgresql+asyncpg://robin:hush@db/p", SecretStr("postgresql+asyncpg://robin:hush@db/p")),
        ("DATABASE_URL", "sqlite:///srv/p.sqlite3", SecretStr("sqlite:///srv/p.sqlite3")),
        ("DATABASE_URL", "postgresql://robin:hu%40h@[::1]:5433/p", SecretStr("postgresql://robin:hu%40h@[::1]:5433/p")),
        ("DATABASE_URL", " postgres://db/p?sslmode=require\n", SecretStr("postgres://db/p?sslmode=require")),
        ("DATABASE_URL", "postgresql:///p?host=/run/pg", SecretStr("postgresql:///p?host=/run/pg")),
        ("DATABASE_URL", "postgres://robin:hush@a,b:5433/p", SecretStr("postgres://robin:hush@a,b:5433/p")),
        ("DATABASE_URL", "postgresql://a,[::1]:5433,[::2]/p", SecretStr("postgresql://a,[::1]:5433,[::2]/p")),
        ("DEV_GUILD_ID", "1234567890123456789", 1234567890123456789),
        ("SHARDS", "0-15/64", ShardsSetting(64, 0, 15)),
        ("SHARDS", " 3/4\n", ShardsSetting(4, 3, 3)),
        ("SHARDS", "Auto/64", ShardsSetting(64)),
        ("SHARDS_PER_PROCESS", "1", 1),
        ("LOG_LEVEL", "WARNING", LogLevel.WARNING),
        ("LOG_LEVEL", "debug", LogLevel.DEBUG),
        ("LOG_FORMAT", "JSON", LogFormat.JSON),
        ("HEALTH_PORT", "8080", 8080),
        ("HEALTH_ADDRESS", "0.0.0.0", "0.0.0.0"),  # noqa: S104 - nothing listens here
        ("HEALTH_ADDRESS", " LocalHost ", "localhost"),
        ("HEALTH_ADDRESS", "::1", "::1"),
        ("COMPUTER_PAUSE", "0", 0.0),
        ("COMPUTER_PAUSE", "2.5", 2.5),
        ("COMPUTER_PAUSE", "10", 10.0),
        ("REMINDERS", " off\n", False),
        ("REMINDERS", "On", True),
        ("TABLE_CACHE_MIB", "1", 1),
        ("SET_ASIDE_AFTER_HOURS", "1", 1),
        ("SET_ASIDE_AFTER_HOURS", " Off ", None),
        ("ABANDONED_AFTER_DAYS", "3", 3),
        ("ABANDONED_AFTER_DAYS", "off", None),
        ("TABLE_CACHE_MIB", "4096", 4096),
        ("OPEN_TABLES", "1", 1),
        ("OPEN_TABLES", "10000", 10000),
    ],
)
def test_valid_values_are_accepted(monkeypatch: pytest.MonkeyPatch, variable: str, text: str, value: object) -> None:
    with monkeypatch.context() as environment:
        environment.setenv(variable, text)
        assert getattr(Settings(), variable.lower()) == value


@each_case(
    "address",
    [
        "https://127.0.0.1:8000/api/v10",
        "http://discord.com/api/v10",
        "http://10.0.0.1:8000",
        "http://0.0.0.0:8000",
        "http://128.0.0.1",
        "http://127.0.0.1.example.org",
        "http://localhost.example.org",
        "http://127.0.0.1@example.org",
        "http://example.org#@127.0.0.1",
        "http://example.org\\@127.0.0.1",
        "http://127.0.0.1\\@example.org",
        "http://someone@127.0.0.1",
        "http://:@127.0.0.1",
        "http://2130706433",
        "http://127.1",
        "http://[::ffff:10.0.0.1]",
        "http://[::2]",
        "http://[::1",
        "http://127.0.0.1:0",
        "http://127.0.0.1:99999",
        "http://127.0.0.1:8000/api/v9",
        "http://127.0.0.1:8000/api/v10?to=example.org",
        "http://127.0.0.1:8000/api/v10#there",
        "http://",
        "127.0.0.1:8000",
        "//127.0.0.1:8000",
        "file:///etc/passwd",
    ],
)
def test_the_token_is_sent_to_no_other_machine(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    (sentence,) = refusal(monkeypatch, DISCORD_API_URL=address, DISCORD_TOKEN=TOKEN)
    assert sentence.startswith("DISCORD_API_URL must be an http address of this machine")
    assert TOKEN not in sentence


@each_case(
    "variable, text, says",
    [
        ("DISCORD_TOKEN", f"Bot {TOKEN}", "no spaces"),
        ("DISCORD_TOKEN", f"'{TOKEN}", "no quotes"),
        ("DISCORD_TOKEN", f"{TOKEN}\r\nX-Header:1", "nothing else"),
        ("DISCORD_TOKEN", f"{TOKEN}ä", "nothing else"),
        ("DISCORD_TOKEN", "  ", "the bot's token"),
        ("DATABASE_URL", "mysql://someone:hush@localhost/parlour", "postgresql://user:password@host/database"),
        ("DATABASE_URL", "postgresql+asyncpg://someone:hush@localhost", "user:password@host/database"),
        ("DATABASE_URL", "postgresql://someone:hush@localhost/?host=/run", "user:password@host/database"),
        ("DATABASE_URL", "postgresql://someone:hu@sh@localhost/parlour", "%40 for @"),
        ("DATABASE_URL", "postgresql://someone:hu/sh@localhost/parlour", "percent encoding"),
        ("DATABASE_URL", "postgresql://someone:12/sh@localhost/parlour", "percent encoding"),
        ("DATABASE_URL", "postgresql://someone:hu?sh@localhost/parlour", "percent encoding"),
        ("DATABASE_URL", "postgresql://someone:hu#sh@localhost/parlour", "percent encoding"),
        ("DATABASE_URL", "postgresql://someone:hush@localhost:0/parlour", "percent encoding"),
        ("DATABASE_URL", "postgresql://someone:hush@localhost:65536/parlour", "percent encoding"),
        ("DATABASE_URL", "postgresql://someone:hush@one:5432,two:0/parlour", "separated by commas"),
        ("DATABASE_URL", "postgresql://someone:hush@one:5432;two/parlour", "separated by commas"),
        ("DATABASE_URL", "postgresql://someone:hush@one,[::1/parlour", "separated by commas"),
        ("DATABASE_URL", "postgresql://one,two", "separated by commas"),
        ("DATABASE_URL", "sqlite+aiosqlite://var/parlour.sqlite3", "sqlite+aiosqlite:///"),
        ("DATABASE_URL", "sqlite+aiosqlite:///file::memory:?uri=true", "name a file"),
        ("DATABASE_URL", "postgresql://robin@/parlour?host=one:5432&host=two", "separated by commas"),
        ("DATABASE_URL", "postgresql://robin@/parlour?host=one,two&port=5432", "separated by commas"),
        ("DATABASE_URL", "sqlite+aiosqlite:///", "name a file"),
        ("DATABASE_URL", "sqlite+aiosqlite:///?mode=ro", "name a file"),
        ("DATABASE_URL", "sqlite+aiosqlite:///:memory:", "name a file"),
        ("DATABASE_URL", "var/parlour.sqlite3", "name a file"),
        ("DEV_GUILD_ID", "my server", "digits only"),
        ("DEV_GUILD_ID", "0", "digits only"),
        ("DEV_GUILD_ID", "-5", "digits only"),
        ("DEV_GUILD_ID", str(2**63), "the id of a server"),
        ("SHARDS", "0-16/16", "like 0-15/64"),
        ("SHARDS", "5-4/16", "like 0-15/64"),
        ("SHARDS", "0/0", "like 0-15/64"),
        ("SHARDS", "auto", "or like auto/64"),
        ("SHARDS", "auto/0", "or like auto/64"),
        ("SHARDS", "-1/4", "counted from 0"),
        ("SHARDS_PER_PROCESS", "0", "from 1 to 1000"),
        ("LOG_LEVEL", "LOUD", "DEBUG, INFO, WARNING, ERROR, CRITICAL"),
        ("LOG_FORMAT", "xml", "text, json"),
        ("HEALTH_PORT", "0", "from 1 to 65535"),
        ("HEALTH_PORT", "65536", "from 1 to 65535"),
        ("HEALTH_PORT", "http", "from 1 to 65535"),
        ("HEALTH_ADDRESS", "example.org", "such as 127.0.0.1"),
        ("HEALTH_ADDRESS", "127.0.0.1:80", "such as 127.0.0.1"),
        ("COMPUTER_PAUSE", "soon", "from 0 to 10"),
        ("COMPUTER_PAUSE", "-0.1", "from 0 to 10"),
        ("COMPUTER_PAUSE", "10.1", "from 0 to 10"),
        ("COMPUTER_PAUSE", "nan", "from 0 to 10"),
        ("REMINDERS", "sometimes", "on or off"),
        ("TABLE_CACHE_MIB", "0", "from 1 to 65536"),
        ("SET_ASIDE_AFTER_HOURS", "0", "from 1 to 8760, or off"),
        ("SET_ASIDE_AFTER_HOURS", "a day", "from 1 to 8760, or off"),
        ("ABANDONED_AFTER_DAYS", "2", "from 3 to 3650, or off"),
        ("TABLE_CACHE_MIB", "128 MiB", "from 1 to 65536"),
        ("OPEN_TABLES", "0", "from 1 to 10000"),
        ("OPEN_TABLES", "many", "from 1 to 10000"),
    ],
)
def test_invalid_values_are_refused(monkeypatch: pytest.MonkeyPatch, variable: str, text: str, says: str) -> None:
    (sentence,) = refusal(monkeypatch, **{variable: text})
    assert sentence.startswith(f"{variable} must ")
    assert says in sentence
    assert sentence.endswith(".")


def test_every_wrong_variable_is_named_once_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    sentences = refusal(
        monkeypatch,
        REMINDERS="sometimes",
        LOG_LEVEL="LOUD",
        LOG_FORMAT="loud",
        HEALTH_PORT="here",
        HEALTH_ADDRESS="here",
        COMPUTER_PAUSE="soon",
        TABLE_CACHE_MIB="all",
        OPEN_TABLES="many",
        BACKUP_FOLDER="file",
        SET_ASIDE_AFTER_HOURS="soon",
        ABANDONED_AFTER_DAYS="soon",
        BACKUP_EVERY_HOURS="often",
        BACKUP_KEEP="all",
        DEV_GUILD_ID="here",
        USER_INSTALL="maybe",
        SHARDS="all",
        SHARDS_PER_PROCESS="all",
        DATABASE_URL="nowhere",
        DISCORD_API_URL="nowhere",
        DISCORD_PROXY="nowhere",
        DISCORD_TOKEN="no token",
    )
    assert [sentence.split()[0] for sentence in sentences] == sorted(name.upper() for name in Settings.model_fields)


def test_a_file_is_read_and_the_environment_wins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lines = [
        "# a comment",
        f"DISCORD_TOKEN={TOKEN}",
        "LOG_LEVEL=ERROR",
        "DEV_GUILD_ID=",
        "COMPUTER_PAUSE=3",
        "PGUSER=x",
    ]
    (tmp_path / ".env").write_text("\n".join(lines), encoding="utf-8-sig")
    monkeypatch.setenv("COMPUTER_PAUSE", "4")
    settings = Settings()
    assert settings.discord_token == SecretStr(TOKEN)
    assert settings.log_level is LogLevel.ERROR
    assert settings.dev_guild_id is None
    assert settings.computer_pause == 4.0


@each_case(
    "line, sentence",
    [
        ("BACKUP_EVERY_HOUR=24", "BACKUP_EVERY_HOUR in .env is no setting; is BACKUP_EVERY_HOURS meant?"),
        ("backup_every_hour=24", "backup_every_hour in .env is no setting; is BACKUP_EVERY_HOURS meant?"),
        ("BACKUP_HOURS=24", "BACKUP_HOURS in .env is no setting; is BACKUP_EVERY_HOURS meant?"),
        ("LOG-LEVEL=DEBUG", "LOG-LEVEL in .env is no setting; is LOG_LEVEL meant?"),
        ("PARLOUR_LOG_LEVEL=DEBUG", "PARLOUR_LOG_LEVEL in .env is no setting; is LOG_LEVEL meant?"),
        ("DB_URL=x", "DB_URL in .env is no setting; is DATABASE_URL meant?"),
        ("BOT_TOKEN=x", "BOT_TOKEN in .env is no setting; is DISCORD_TOKEN meant?"),
        ("TOKEN=x", "TOKEN in .env is no setting; is DISCORD_TOKEN meant?"),
        ("token=x", "token in .env is no setting; is DISCORD_TOKEN meant?"),
        ("API_URL=x", "API_URL in .env is no setting; is DISCORD_API_URL meant?"),
        ("GUILD_ID=1", "GUILD_ID in .env is no setting; is DEV_GUILD_ID meant?"),
        ("REMINDERS=on\nREMINDER=off", "REMINDER in .env is no setting; is REMINDERS meant?"),
        ("LOG_LEVEL=INFO\nlog_level=DEBUG", "LOG_LEVEL is in several lines of .env: 2 counts."),
        ("LOG_LEVEL=INFO\nLOG_LEVEL=", "LOG_LEVEL is in several lines of .env: 2 counts."),
        ("BACKUP_KEEP=3", "BACKUP_KEEP has no effect without BACKUP_EVERY_HOURS: no backups are made."),
        ("BACKUP_FOLDER=x", "BACKUP_FOLDER has no effect without BACKUP_EVERY_HOURS: no backups are made."),
        ("SHARDS_PER_PROCESS=3", "SHARDS_PER_PROCESS has no effect without SHARDS=auto/..."),
        ("SHARDS=0-3/4\nSHARDS_PER_PROCESS=3", "SHARDS_PER_PROCESS has no effect without SHARDS=auto/..."),
        (
            "DATABASE_URL=postgresql://db/p\nBACKUP_EVERY_HOURS=24",
            "BACKUP_EVERY_HOURS has no effect with PostgreSQL, which has its own programs (docs/hosting.md).",
        ),
    ],
)
def test_a_setting_that_is_not_what_the_host_thinks_is_named(line: str, sentence: str) -> None:
    write_env_file(line)
    assert find_doubts(Settings()) == (sentence,)


@each_case(
    "text",
    [
        (Path(__file__).parents[1] / ".env.example").read_text(),
        "PGUSER=x\nPOSTGRES_PASSWORD=x\nTZ=UTC\nCOMPOSE_PROJECT_NAME=x\nPORT=1\nHOST=x\nPATH=x\nURL=x",
        f"DISCORD_TOKEN={TOKEN}\nTOKEN=of another program",
        f"DISCORD_TOKEN={TOKEN}\nDISCORD_CLIENT_ID=1",
        "BACKUP_EVERY_HOURS=24\nBACKUP_KEEP=3",
        "SHARDS=auto/4\nSHARDS_PER_PROCESS=3",
    ],
)
def test_settings_of_other_programs_and_sound_ones_are_not_doubted(text: str) -> None:
    write_env_file(text)
    assert find_doubts(Settings()) == ()


def test_a_misspelt_variable_of_the_environment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKUP_EVERY_HOUR", "24")
    for name in ("DATABASE_NAME", "TOKEN", "ADDRESS", "PORT"):
        monkeypatch.setenv(name, "of another program")
    assert find_doubts(Settings()) == (
        "BACKUP_EVERY_HOUR in the environment is no setting; is BACKUP_EVERY_HOURS meant?",
    )


def test_the_file_is_read_once_so_that_it_can_be_a_pipe(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".env")
    writing = Thread(target=(tmp_path / ".env").write_text, args=["LOG_LEVEL=ERROR\nBACKUP_HOURS=2"], daemon=True)
    writing.start()
    settings = Settings()
    writing.join()
    assert (settings, Settings().log_level) == (settings, LogLevel.ERROR)
    assert len(find_doubts(settings)) == 1
    assert find_overridden() == ()


def test_what_the_environment_overrides_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("log_level=ERROR\nREMINDERS=off\nHEALTH_PORT=\nPATH=x\n")
    monkeypatch.setenv("LOG_LEVEL", "")
    monkeypatch.setenv("HEALTH_PORT", "8080")
    assert find_overridden() == ("log_level of .env does not count, because the environment sets it.",)


@each_case("variable, text", [("DATABASE_URL", "sqlite+aiosqlite:///~/p/p.sqlite3"), ("BACKUP_FOLDER", " ~/p/backups")])
def test_the_home_folder_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str, text: str) -> None:
    with monkeypatch.context() as environment:
        environment.setenv(variable, text)
        assert Settings().backups == tmp_path / "home" / "p" / "backups"


def test_an_empty_variable_hides_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("DEV_GUILD_ID=5\nhealth_port=8080\nLOG_LEVEL=ERROR\n", encoding="utf-8")
    monkeypatch.setenv("DEV_GUILD_ID", "")
    monkeypatch.setenv("HEALTH_PORT", "")
    settings = Settings()
    assert settings.dev_guild_id is None
    assert settings.health_port is None
    assert settings.log_level is LogLevel.ERROR


def test_a_child_process_does_not_inherit_the_health_port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEALTH_PORT", "8080")
    monkeypatch.setenv("LOG_LEVEL", "ERROR")
    assert child_environment()["HEALTH_PORT"] == ""
    assert child_environment(HEALTH_PORT="9")["HEALTH_PORT"] == "9"
    assert child_environment()["LOG_LEVEL"] == "ERROR"


SECRETS = [
    ("DISCORD_TOKEN", TOKEN),
    ("DISCORD_PROXY", f"http://robin:{TOKEN}@proxy"),
    ("DATABASE_URL", f"postgresql://robin:{TOKEN}@db/parlour"),
]


@pytest.mark.parametrize(("variable", "text"), SECRETS)
def test_a_secret_is_never_shown(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, variable: str, text: str
) -> None:
    monkeypatch.setenv(variable, text)
    settings = Settings()
    with caplog.at_level(logging.INFO):
        logging.getLogger("test").info("settings: %s %r", settings, settings)
    shown = [repr(settings), str(settings), f"{settings}", str(settings.model_dump()), caplog.text]
    shown.append(settings.model_dump_json())
    assert all(said and TOKEN not in said for said in shown)


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("DISCORD_TOKEN", f"Bot {TOKEN}"),
        ("DISCORD_PROXY", f"socks5://robin:{TOKEN}@proxy"),
        ("DATABASE_URL", f"postgresql://robin:{TOKEN}@db"),
    ],
)
def test_a_wrong_secret_is_never_shown(monkeypatch: pytest.MonkeyPatch, variable: str, text: str) -> None:
    monkeypatch.setenv(variable, text)
    with pytest.raises(ValidationError) as caught:
        Settings()
    shown = [str(caught.value), repr(caught.value), *describe_problems(caught.value)]
    assert all("secret-part" not in said for said in shown)


def test_settings_are_immutable() -> None:
    settings = Settings()
    with pytest.raises(ValidationError):
        settings.computer_pause = 0.0  # type: ignore[misc]
