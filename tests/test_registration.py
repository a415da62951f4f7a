"""What the features register: handlers, jobs and caches, each once."""

from collections.abc import Iterable, Iterator
from functools import partial
from types import FunctionType, MethodType
from typing import Any

import pytest
from cachetools import Cache, LRUCache, TTLCache

from bot.features.blocks.feature import register as register_blocks
from bot.platform.discord.ids import kinds_of_ids
from bot.platform.registration import JobKind, Registration
from tests.support.apps import make_unconnected_app, shared_app
from tests.support.fakes import GAMES
from tests.support.memory_database import MemoryDatabase

CACHES_OF_IDS = {
    "Animations._shared",
    "Announcements._sent",
    "Boards._posted",
    "Director._shown",
    "DiscordTableMessages._files",
    "DiscordTournamentMessages._pictured",
    "DiscordTournamentMessages._refused",
    "Doubts._raised",
    "Drafts._drafts",
    "EphemeralMessages._newest",
    "Following._posted",
    "Following._tried",
    "Invitations._sent",
    "Moments._shared",
    "NewestMessages._talks",
    "OptionPanels._readers",
    "Organizers._rescheduled",
    "PictureAttacher._channels_without_files",
    "PictureAttacher._limited",
    "Publisher._restored",
    "Puzzles._tables",
    "Reminders._sent",
    "Sharing._shared",
    "TableService.next_seeds",
    "TableThreads._opened",
}
"""The caches that hold nothing of people but ids, so that an erasure may leave them."""


def test_every_kind_of_button_has_a_handler() -> None:
    assert shared_app().handlers.keys() == set(kinds_of_ids())


def test_no_two_features_answer_the_same_button() -> None:
    app = make_unconnected_app(MemoryDatabase(), GAMES)
    with pytest.raises(ValueError, match="UnblockId"):
        app.add(register_blocks(app))


def test_no_two_features_do_the_same_job() -> None:
    app = make_unconnected_app(MemoryDatabase(), GAMES)
    kind = next(iter(app.jobs.values()))
    with pytest.raises(ValueError, match=kind.name):
        app.add(Registration(jobs=(JobKind(kind.name, kind.run),)))


def test_an_erasure_clears_every_cache_in_which_texts_may_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_unconnected_app(MemoryDatabase(), GAMES)
    cleared = set[int]()
    for kind in (LRUCache, TTLCache):
        monkeypatch.setattr(kind, "clear", lambda cache: cleared.add(id(cache)))
    app.clear_personal_caches()
    kept = {name for name, cache in find_caches(app) if id(cache) not in cleared}
    assert kept == CACHES_OF_IDS


def find_caches(root: object) -> Iterator[tuple[str, Cache[Any, Any]]]:
    """Yield the caches to which an object leads through others of the bot, with the names of their attributes."""
    seen, waiting = set[int](), [root]
    while waiting:
        here = waiting.pop()
        for name, held in _parts_of(here):
            if isinstance(held, Cache):
                yield f"{type(here).__name__}.{name}", held
            elif id(held) not in seen:
                seen.add(id(held))
                waiting.append(held)


def _parts_of(held: object) -> Iterable[tuple[object, object]]:
    match held:
        case dict():
            return held.items()
        case list() | tuple() | set():
            return enumerate(held)
        case FunctionType():
            return enumerate(cell.cell_contents for cell in held.__closure__ or ())
        case MethodType() | partial():
            return enumerate((getattr(held, "__self__", None), getattr(held, "func", None)))
        case _:
            return _attributes_of(held)


def _attributes_of(held: object) -> Iterable[tuple[str, object]]:
    if not type(held).__module__.startswith("bot.") or isinstance(held, type):
        return ()
    slots = [
        (name, getattr(held, name, None)) for kind in type(held).__mro__ for name in getattr(kind, "__slots__", ())
    ]
    return (*vars(held).items(), *slots) if hasattr(held, "__dict__") else slots
