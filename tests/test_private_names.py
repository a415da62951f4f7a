"""The check that no library's private names are used finds them, and nothing else."""

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from tests import private_names


def import_source(source: str, folder: Path) -> ModuleType:
    """Import a module of the bot that is not there."""
    file = folder / "sample.py"
    file.write_text(source)
    spec = importlib.util.spec_from_file_location("bot.sample", file)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules["bot.sample"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def leave_no_module() -> Iterator[None]:
    yield
    sys.modules.pop("bot.sample", None)


INHERITED = """
import aiosqlite

class Trip(aiosqlite.Connection):
    def send(self) -> None:
        self._tx.put_nowait(None)
"""
OVERRIDDEN = """
import logging

class Handler(logging.Formatter):
    def _fmt(self) -> None: ...
"""
BY_SUPER = """
import json

class Encoder(json.JSONEncoder):
    def go(self) -> None:
        return super()._go()
"""
SECOND_HAND = """
import aiosqlite

class First(aiosqlite.Connection):
    pass

class Second(First):
    async def send(self) -> None:
        await self._execute(print)
"""
OWN = """
import logging

class Base:
    def __init__(self) -> None:
        self._mine = 1

class Handler(Base, logging.Handler):
    _kept: int

    def __init__(self) -> None:
        super().__init__()
        self._own, self.__doc__ = 2, "told"

    def _help(self) -> int:
        return self._own + self._mine + self._kept
"""


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (INHERITED, "_tx belongs to aiosqlite"),
        (OVERRIDDEN, "_fmt belongs to logging.Formatter"),
        (BY_SUPER, "_go is none of ours"),
        (SECOND_HAND, "_execute belongs to aiosqlite"),
        ("from email import _policybase", "email._policybase is private"),
        ("from collections import _chain", "collections._chain is private"),
        ("import _thread", "_thread is private"),
        ("import email._parseaddr as parsing", "email._parseaddr is private"),
        ("queue = getattr(object(), '_queue', None)", "getattr is asked for _queue"),
        ("from PIL import Image\nencoder = Image.core", ".core belongs to the insides"),
        ("import PIL.Image\ninside = PIL.Image.new('P', (1, 1)).im", ".im belongs to the insides"),
        ("import PIL.Image\ninside = 1  # noqa: SLF001", "switched off"),
    ],
)
def test_private_names_are_found(source: str, fault: str, tmp_path: Path) -> None:
    try:
        module = import_source(source, tmp_path)
    except ImportError:
        module = None
    (found,) = private_names.find_faults(source, module)
    assert fault in found[1]


@pytest.mark.parametrize(
    "source",
    [
        OWN,
        "from __future__ import annotations",
        "from bot.rules import _something",
        "_known = 1",
        "import re\nprint(getattr(re, '__doc__'))",
        "class Apple:\n    core = 1\n\n    def eaten(self) -> int:\n        return self.core",
    ],
)
def test_allowed_names_are_not_reported(source: str, tmp_path: Path) -> None:
    module = None if "_something" in source else import_source(source, tmp_path)
    assert list(private_names.find_faults(source, module)) == []
