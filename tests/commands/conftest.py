import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest

import bot.tables.registry
from bot.commands.console import MESSAGE_LOGGERS, NOISY_LOGGERS, OUTAGE_LOGGER
from bot.platform.content import BrokenContent
from bot.settings import Settings, read_settings_file


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No variable of the machine, and no .env of the checkout, reaches a test."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)
    read_settings_file.cache_clear()
    return tmp_path


@pytest.fixture
def remove_log_handlers(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Removes all log handlers, which pytest adds when the test begins."""
    return lambda: monkeypatch.setattr(logging.getLogger(), "handlers", [])


@pytest.fixture(autouse=True)
def restore_log_levels() -> Iterator[None]:
    """Restore the levels that a command has set."""
    loggers = [logging.getLogger(name) for name in ("", *NOISY_LOGGERS, *MESSAGE_LOGGERS, OUTAGE_LOGGER)]
    levels = [logger.level for logger in loggers]
    yield
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)


@pytest.fixture
def broken_content(monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    """The content of two games can't be used."""
    faults = ("data/magic_bag/reference_sheet.toml is missing.", "data/toy/deck.toml, cards: Field required.")

    def fail(_offers: object) -> NoReturn:
        raise BrokenContent(faults)

    monkeypatch.setattr(bot.tables.registry, "build_packages", fail)
    return faults
