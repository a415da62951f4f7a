"""The bot's settings. Only this module reads the environment and `.env`."""

import difflib
import ipaddress
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, Final
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, EnvSettingsSource, PydanticBaseSettingsSource, SettingsConfigDict

from bot.env_file import EnvFile, read_env_file
from bot.platform.database.address import SQLITE, expand_home, file_of, parse_database_url, passwords_in

ENV_FILE: Final = Path(".env")
API_PATH: Final = "/api/v10"
SQLITE_PREFIX: Final = "sqlite+aiosqlite:///"
_SHARDS: Final = re.compile(r"(?:auto|(?P<first>\d{1,5})(?:-(?P<last>\d{1,5}))?)/(?P<count>[1-9]\d{0,4})")


class LogLevel(StrEnum):
    """The standard library's log levels."""

    DEBUG = "DEBUG"
    INFO = "INFO"
    WARNING = "WARNING"
    ERROR = "ERROR"
    CRITICAL = "CRITICAL"


class LogFormat(StrEnum):
    """The format of the log."""

    TEXT = "text"
    JSON = "json"


def _strip(value: object) -> object:
    return value.strip() if isinstance(value, str) else value


def _upper(value: object) -> object:
    return value.strip().upper() if isinstance(value, str) else value


def _lower(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


def _none_if_off(value: object) -> object:
    return None if _lower(value) == "off" else value


def _parse_address(value: str) -> str:
    return value if value == "localhost" else str(ipaddress.ip_address(value))


def _check_token(value: SecretStr) -> SecretStr:
    token = value.get_secret_value()
    if not (token.isascii() and token.isprintable() and token) or set(token) & set(" \"'"):
        raise ValueError("not a token")
    return value


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    address = ipaddress.ip_address(host)
    return address == ipaddress.IPv6Address("::1") or address in ipaddress.IPv4Network("127.0.0.0/8")


def _parse_local_api_url(value: str) -> str:
    # Rebuilt from its parts, so that no other URL parser can read another host from it.
    parts = urlsplit(value)
    host = parts.hostname or ""
    extras = parts.username is not None or parts.query or parts.fragment
    if parts.scheme != "http" or extras or parts.port == 0 or not _is_loopback(host):
        raise ValueError("not an address of this machine")
    if parts.path.rstrip("/") not in {"", API_PATH}:
        raise ValueError("another version of the interface")
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}{'' if parts.port is None else f':{parts.port}'}{API_PATH}"


def _check_proxy(value: SecretStr) -> SecretStr:
    parts = urlsplit(value.get_secret_value())
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.port == 0 or parts.path not in {"", "/"}:
        raise ValueError("not a proxy")
    return value


def _check_database_url(value: SecretStr) -> SecretStr:
    parse_database_url(value.get_secret_value())
    return value


def _parse_folder(value: str) -> str:
    folder = expand_home(value.strip())
    if "\0" in folder or (Path(folder).exists() and not Path(folder).is_dir()):
        raise ValueError("not a folder")
    return folder


@dataclass(frozen=True, slots=True)
class ShardsSetting:
    """Which of Discord's shards a process connects."""

    count: int
    """How many shards the bot has in all its processes."""
    first: int | None = None
    """The first and the last one of the process; None if it takes those that no other process has."""
    last: int | None = None


def _parse_shards(value: object) -> object:
    if not isinstance(value, str):
        return value
    found = _SHARDS.fullmatch(value.strip().lower())
    if found is None:
        raise ValueError("not shards")
    first, last, count = found["first"], found["last"] or found["first"], int(found["count"])
    if first is None:
        return ShardsSetting(count)
    if not int(first) <= int(last) < count:
        raise ValueError("no such shards")
    return ShardsSetting(count, int(first), int(last))


def _environment() -> Mapping[str, str]:
    return os.environ  # noqa: TID251 - the one module that may read it


@cache
def read_settings_file() -> EnvFile:
    """Read `.env`, once: it may be a pipe.

    Raises:
        UnusableEnvFile: It can't be used.
    """
    return read_env_file(ENV_FILE, _environment(), Settings.model_fields)


class _GivenSource(EnvSettingsSource):
    """Values by their names, in whatever case; empty ones mean the default."""

    def __init__(self, settings_cls: type[BaseSettings], values: Mapping[str, str]) -> None:
        super().__init__(settings_cls)
        self.env_vars = {name.lower(): value for name, value in values.items() if value}


def _without_quotes(value: str) -> str:
    """Return a value without the quotes around it, which Docker leaves in those of `--env-file`."""
    text = value.strip()
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in {"'", '"'} else value


class Settings(BaseSettings):
    """The bot's settings; `.env.example` explains them for hosts."""

    model_config = SettingsConfigDict(
        extra="ignore",
        frozen=True,
        hide_input_in_errors=True,
    )

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Read the environment first, then `.env`, without what the environment sets, even to nothing."""
        environment = _environment()
        named = {name.lower() for name in environment}
        given = {name: _without_quotes(value) for name, value in environment.items()}
        rest = {name: value for name, value in read_settings_file().values.items() if name.lower() not in named}
        return init_settings, _GivenSource(settings_cls, given), _GivenSource(settings_cls, rest)

    discord_token: Annotated[SecretStr, BeforeValidator(_strip), AfterValidator(_check_token)] | None = None
    """The bot's token; only commands that connect to Discord need it."""

    discord_api_url: Annotated[str, BeforeValidator(_strip), AfterValidator(_parse_local_api_url)] | None = None
    """The API of a Discord substitute on this machine, as `http://host:port/api/v10`; None for Discord itself."""

    discord_proxy: Annotated[SecretStr, BeforeValidator(_strip), AfterValidator(_check_proxy)] | None = None
    """The HTTP proxy that all requests to Discord go through; a secret, because it may contain a password."""

    database_url: Annotated[SecretStr, BeforeValidator(_strip), AfterValidator(_check_database_url)] = SecretStr(
        f"{SQLITE_PREFIX}var/parlour.sqlite3"
    )
    """The database URL; a secret, because it may contain a password."""

    dev_guild_id: Annotated[int, Field(ge=1, lt=2**63)] | None = None
    """The only server that commands are synced to; None for all."""

    user_install: Annotated[bool, BeforeValidator(_strip)] = False
    """Whether people can install the bot for themselves, and use it where it is not."""

    shards: Annotated[ShardsSetting, BeforeValidator(_parse_shards)] | None = None
    """Which shards the process connects; None for all that Discord recommends, in a process alone."""

    shards_per_process: Annotated[int, Field(ge=1, le=1000)] = 16
    """How many shards a process takes that takes those that no other has."""

    log_level: Annotated[LogLevel, BeforeValidator(_upper)] = LogLevel.INFO
    """The lowest level that is logged."""

    log_format: Annotated[LogFormat, BeforeValidator(_lower)] = LogFormat.TEXT
    """Text for people, or JSON lines for programs."""

    health_port: Annotated[int, Field(ge=1, le=65535)] | None = None
    """The health endpoint's port; None for no endpoint."""

    health_address: Annotated[str, BeforeValidator(_lower), AfterValidator(_parse_address)] = "127.0.0.1"
    """The IP address that the health endpoint listens on."""

    computer_pause: Annotated[float, Field(ge=0, le=10, allow_inf_nan=False)] = 1.0
    """Seconds before each turn of a computer player, so that people see the one before."""

    reminders: Annotated[bool, BeforeValidator(_strip)] = True
    """Whether players are reminded of their turn, once per turn."""

    table_cache_mib: Annotated[int, Field(ge=1, le=65536)] = 144
    """The size of the table cache in MiB; other tables are replayed from the database when needed."""

    open_tables: Annotated[int, Field(ge=1, le=10000)] = 25
    """How many open tables a person can have opened per server, or in direct messages."""

    set_aside_after_hours: Annotated[Annotated[int, Field(ge=1, le=8760)] | None, BeforeValidator(_none_if_off)] = 24
    """Hours after which an idle table can be put aside by opening another one; None for never."""

    abandoned_after_days: Annotated[Annotated[int, Field(ge=3, le=3650)] | None, BeforeValidator(_none_if_off)] = 30
    """Days after which an idle table is closed, announced two days before; None for never."""

    backup_every_hours: Annotated[Annotated[int, Field(ge=1, le=8760)] | None, BeforeValidator(_none_if_off)] = None
    """Hours between two backups of an SQLite file; None for none."""

    backup_keep: Annotated[int, Field(ge=1, le=10000)] = 7
    """How many of these backups are kept."""

    backup_folder: Annotated[str, AfterValidator(_parse_folder)] | None = None
    """Where they are; None for a folder beside the SQLite file."""

    @property
    def secrets(self) -> list[str]:
        """The token and the passwords, with and without percent-encoding."""
        token, proxy = (
            "" if each is None else each.get_secret_value() for each in (self.discord_token, self.discord_proxy)
        )
        password = urlsplit(proxy).password or ""
        return [token, password, unquote(password), *passwords_in(self.database_url.get_secret_value())]

    @property
    def backups(self) -> Path:
        """The folder of scheduled backups."""
        return Path(self.backup_folder) if self.backup_folder else (self.database_folder or Path("var")) / "backups"

    @property
    def live_check_report(self) -> Path:
        """The file with what the last live check has found."""
        return (self.database_folder or Path("var")) / "live-check.txt"

    @property
    def database_folder(self) -> Path | None:
        """The folder of an SQLite file; None if the database is on a server."""
        url = parse_database_url(self.database_url.get_secret_value())
        return file_of(url).parent if url.get_backend_name() == SQLITE else None

    @property
    def picture_folder(self) -> Path:
        """The folder of bitmaps that are kept between starts: beside an SQLite file, or else in `var`."""
        return (self.database_folder or Path("var")) / "pictures"


_REQUIREMENTS: Final = {
    "discord_token": "must be the bot's token and nothing else: no spaces, no quotes, no word before it.",
    "discord_api_url": (
        "must be an http address of this machine (127.0.0.1, [::1] or localhost), because the token is sent "
        f"there; its path is {API_PATH}. Leave it empty to use Discord."
    ),
    "discord_proxy": (
        "must look like http://host:port or http://user:password@host:port (write signs of the password such as "
        "@ : / ? # % in percent encoding: %40 for @). Leave it empty to connect directly."
    ),
    "database_url": (
        f"must begin with {SQLITE_PREFIX} and name a file, or look like postgresql://user:password@host/database "
        "(write signs of the password such as @ : / ? # % in percent encoding: %40 for @). Several servers are "
        "separated by commas: postgresql://user:password@host1:5432,host2:5432/database."
    ),
    "dev_guild_id": "must be the id of a server: digits only.",
    "user_install": "must be on or off.",
    "shards": (
        "must look like 0-15/64 (the first and the last shard of the process, counted from 0, and the number of shards "
        "in all processes), or like auto/64. Leave it empty for one process."
    ),
    "shards_per_process": "must be a number of shards from 1 to 1000.",
    "log_level": f"must be one of {', '.join(LogLevel)}.",
    "log_format": f"must be one of {', '.join(LogFormat)}.",
    "health_port": "must be a number from 1 to 65535. Leave it empty to have no health endpoint.",
    "health_address": "must be an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them.",
    "computer_pause": "must be a number from 0 to 10.",
    "reminders": "must be on or off.",
    "open_tables": "must be a number of tables from 1 to 10000.",
    "table_cache_mib": "must be a number of MiB from 1 to 65536.",
    "set_aside_after_hours": "must be a number of hours from 1 to 8760, or off.",
    "abandoned_after_days": "must be a number of days from 3 to 3650, or off.",
    "backup_every_hours": "must be a number of hours from 1 to 8760, or off.",
    "backup_keep": "must be a number of backups from 1 to 10000.",
    "backup_folder": "must be a folder, or a path at which one can be made.",
}


def describe_problems(error: ValidationError) -> tuple[str, ...]:
    """Return a sentence for each invalid variable, without its value."""
    # A variable may have several errors; its one sentence covers them all.
    fields = dict.fromkeys(str(fault["loc"][0]) for fault in error.errors(include_input=False))
    return tuple(f"{field.upper()} {_REQUIREMENTS[field]}" for field in sorted(fields))


_LEAST_PART: Final = 5
"""From this length on, words of a setting's name stand for it: TOKEN does, PORT is likely another program's."""
_RESEMBLING: Final = 0.63
"""From here on, a name in `.env` resembles that of a setting; two that share a long word are at about 0.7."""
_MISSPELT: Final = 0.85
"""From here on, a name is very likely a misspelt setting: the environment also has names of other programs."""


def find_doubts(settings: Settings) -> tuple[str, ...]:
    """Return a sentence for each setting that may not be what the host thinks.

    Raises:
        UnusableEnvFile: `.env` can't be used.
    """
    file = read_settings_file()
    return (*_find_repeated(file), *_find_misspelt(settings, file), *_find_without_effect(settings))


def find_overridden() -> tuple[str, ...]:
    """Return a sentence for each setting of `.env` that the environment overrides.

    Raises:
        UnusableEnvFile: `.env` can't be used.
    """
    named = {name.lower() for name in _environment()} & Settings.model_fields.keys()
    values = read_settings_file().values
    return tuple(
        f"{name} of {ENV_FILE} does not count, because the environment sets it."
        for name, value in values.items()
        if value and name.lower() in named
    )


def _find_repeated(file: EnvFile) -> Iterator[str]:
    lines: dict[str, list[int]] = {}
    for name, numbers in file.lines.items():
        lines.setdefault(name.lower(), []).extend(numbers)
    for field, numbers in lines.items():
        if field in Settings.model_fields and len(numbers) > 1:
            yield f"{field.upper()} is in several lines of {ENV_FILE}: {max(numbers)} counts."


def _find_misspelt(settings: Settings, file: EnvFile) -> Iterator[str]:
    known = {field.upper(): field in settings.model_fields_set for field in Settings.model_fields}
    unset = [name for name, is_set in known.items() if not is_set]
    for name in (*file.values, *(_environment().keys() - file.values.keys())):
        if name.upper() in known:
            continue
        near = difflib.get_close_matches(name.upper(), known, n=1, cutoff=_MISSPELT)
        place = "the environment"
        if name in file.values:
            place = str(ENV_FILE)
            near = near or difflib.get_close_matches(name.upper(), unset, n=1, cutoff=_RESEMBLING)
            near = near or [each for each in unset if _is_part(name.upper(), each)]
        if near:
            yield f"{name} in {place} is no setting; is {near[0]} meant?"


def _is_part(words: str, name: str) -> bool:
    return len(words) >= _LEAST_PART and f"_{words}_" in f"_{name}_"


def _find_without_effect(settings: Settings) -> Iterator[str]:
    chosen = settings.model_fields_set
    if settings.backup_every_hours is None:
        for field in ("backup_keep", "backup_folder"):
            if field in chosen:
                yield f"{field.upper()} has no effect without BACKUP_EVERY_HOURS: no backups are made."
    elif settings.database_folder is None:
        yield "BACKUP_EVERY_HOURS has no effect with PostgreSQL, which has its own programs (docs/hosting.md)."
    if "shards_per_process" in chosen and (settings.shards is None or settings.shards.first is not None):
        yield "SHARDS_PER_PROCESS has no effect without SHARDS=auto/..."


def child_environment(**overrides: str) -> dict[str, str]:
    """Return this process's environment for a child process, with some variables changed.

    Unless overridden, the child has no health endpoint: this process may be using the port.
    """
    return {**_environment(), "HEALTH_PORT": "", **overrides}
