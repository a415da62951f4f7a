"""What a process keeps in memory of a person, in whatever cache, is gone once their data is deleted."""

import asyncio
import functools
import gc
import sys
from collections import deque
from collections.abc import Iterator
from types import FunctionType, MethodType, ModuleType

import pytest
from cachetools import Cache

from bot.platform.discord.emoji import OWN_EMOJI, Emoji
from bot.platform.places import Person
from bot.tables.host import Host
from bot.tables.seats import resign_seat
from bot.words import seat_emoji
from tests.e2e.test_privacy import delete_everything
from tests.support.parlour import ROLL, Parlour, shared_picture_service

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("frequent_checks")]

_CONTAINERS = (dict, list, tuple, set, frozenset, deque, Cache, functools.partial, MethodType)
_CACHE = type(functools.lru_cache(len))
_OF_DEVELOPERS = ("bot.sandbox", "bot.commands", "bot.tools")
"""What does not run in a bot; its own words are names."""


def find_in_memory(parlour: Parlour, text: str) -> set[str]:
    """Return where a text stands: in caches of the bot's modules, or in objects that its client leads to."""
    modules = {name: vars(module) for name, module in sys.modules.items() if _is_of_bot(name)}
    roots: dict[str, object] = {"client": parlour.client, **modules}
    return {path for name, root in roots.items() for path, found in _walk(name, root) if text in found}


def _walk(name: str, root: object) -> Iterator[tuple[str, str]]:
    """Yield the texts to which a root leads through objects of the bot, containers and caches, and by which way."""
    seen, waiting = {id(root)}, deque([(name, root)])
    while waiting:
        path, here = waiting.popleft()
        for held in gc.get_referents(here):
            if isinstance(held, str):
                yield path, held
            elif id(held) not in seen and _is_held_by_bot(held):
                seen.add(id(held))
                waiting.append((_extend(path, held), held))


def _is_held_by_bot(held: object) -> bool:
    if isinstance(held, FunctionType | ModuleType):
        return False
    kind = held if isinstance(held, type) else type(held)
    return isinstance(held, (*_CONTAINERS, _CACHE)) or _is_of_bot(kind.__module__)


def _is_of_bot(module: str) -> bool:
    return module.startswith("bot.") and not module.startswith(_OF_DEVELOPERS)


def _extend(path: str, held: object) -> str:
    if isinstance(held, _CACHE):
        return f"{path}.{getattr(held, '__name__', 'cache')}"
    return f"{path} > {type(held).__name__}" if _is_of_bot(type(held).__module__) else path


@pytest.fixture
def _own_emoji() -> Iterator[None]:
    """Let lines with names have symbols that are replaced."""
    OWN_EMOJI.use({seat_emoji(seat): Emoji(f"token_{seat}", 900 + seat) for seat in range(2)})
    yield
    OWN_EMOJI.forget()


async def play_and_look_at_everything(parlour: Parlour) -> None:
    """Let a person be named in as many messages and pictures as possible."""
    robin, linnet, here = parlour.robin, parlour.linnet, parlour.here
    message = await parlour.start_game(robin, linnet)
    await parlour.press(await parlour.mover(), message, ROLL)
    await parlour.press(linnet, message, "Read the table")
    await parlour.wait_until_shown()
    table = await parlour.table()
    await parlour.client.app.service(Host).service.apply_seat_action(
        table.id, Person(robin.id, "Robin"), resign_seat, 50
    )
    await parlour.wait_until_settled()
    for command in ("table replay", "table review", "leaderboard", "history", "badges"):
        options = {"game": "magpie"} if command == "leaderboard" else {}
        await robin.slash(here, command, **options)
    await robin.slash(here, "profile", member=linnet)
    await robin.slash(here, "versus", member=linnet)
    await parlour.press(robin, message, "Share")
    answer = await robin.slash(parlour.elsewhere, "tournament new", game="magpie")
    await parlour.sandbox.until(lambda: "https://" in answer.text)
    cup = linnet.visible_messages(parlour.elsewhere)[-1]
    await parlour.press(linnet, cup, "Join")
    lobby = await parlour.open_table(robin)
    await parlour.press(linnet, lobby, "Join")
    await parlour.wait_until_settled()


@pytest.mark.usefixtures("_own_emoji")
async def test_no_cache_keeps_the_name_of_whom_was_deleted(parlour: Parlour) -> None:
    await play_and_look_at_everything(parlour)
    # In a thread, because it takes seconds, in which reads of the bot would run out of time.
    before = await asyncio.to_thread(find_in_memory, parlour, "Linnet")
    for cache in ("PictureService", "TableCache", "links._names_of", "fonts._render_name", "OwnEmoji"):
        assert [path for path in before if cache in path], f"{cache} was not filled"
    await delete_everything(parlour.linnet, parlour)
    # Its thread does one thing after another.
    await shared_picture_service().prepare()
    assert await asyncio.to_thread(find_in_memory, parlour, "Linnet") == set()
