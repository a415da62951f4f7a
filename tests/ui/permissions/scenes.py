"""Who acts, at which table, and what comes of it."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from enum import Enum, auto
from typing import Any, Final, TypeAlias

import discord

from bot.features.moderation.model import Ban, ModerationReason
from bot.features.moderation.service import Bans
from bot.features.settings.rights import MODERATORS, ORGANIZERS
from bot.features.tournaments import actions, storage as tournament_storage
from bot.features.tournaments.model import ADVANCE_KIND, Player, Tournament
from bot.platform.jobs.storage import Job
from bot.platform.places import Person
from bot.rules.refusals import CommonReason, Refusal, RefusalReason
from bot.tables.aside import put_aside
from bot.tables.lobby import start
from bot.tables.model import TurnClock
from bot.tables.opening import open_game
from bot.tables.seats import resign_seat
from bot.tables.table import Table
from tests.support.chosen_settings import chosen
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import HERE, JAY, LINNET, NOON, ROBIN, STRANGER, WREN
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import FakeInteraction
from tests.ui.fake_servers import KEEPS_ORDER, make_member, make_server

ELSEWHERE: Final = 71
"""A channel of the same server, whose people need not see the other."""

MODERATES, ORGANIZES = 501, 502
"""Roles that moderate tables, and that organize tournaments."""

OUTSIDER: Final = Person(98, "Outsider")
BANNED: Final = Person(97, "Banned")
SERVER: Final = make_server(HERE.channel_id, ELSEWHERE, roles=(MODERATES, ORGANIZES))
SERVER_OF_OUTSIDER: Final = make_server(
    HERE.channel_id, ELSEWHERE, hidden=(HERE.channel_id,), roles=(MODERATES, ORGANIZES)
)


TIME_UP_PERIOD: Final = int(NOON.timestamp()) + 600
"""The time that has ended at a table whose time is up."""


class Who(Enum):
    """Those whose rights differ."""

    HOST = auto()
    MEMBER = auto()
    """Has a seat, but is not the host."""
    MODERATOR = auto()
    """By permission, without a seat."""
    ROLE = auto()
    """A moderator by a role that the server's owner has chosen."""
    ORGANIZER = auto()
    """Runs the tournaments of others by a role that the server's owner has chosen, without a seat."""
    OWNER = auto()
    STRANGER = auto()
    """Sees the channel, without a seat."""
    OUTSIDER = auto()
    """Does not see the channel, and acts in another one."""
    BANNED = auto()
    """May not play in the server."""


_PEOPLE: Final = {
    Who.HOST: (ROBIN, discord.Permissions.none()),
    Who.MEMBER: (WREN, discord.Permissions.none()),
    Who.MODERATOR: (JAY, discord.Permissions(manage_messages=True)),
    Who.ROLE: (STRANGER, discord.Permissions.none()),
    Who.ORGANIZER: (STRANGER, discord.Permissions.none()),
    Who.OWNER: (LINNET, discord.Permissions.all()),
    Who.STRANGER: (STRANGER, discord.Permissions.none()),
    Who.OUTSIDER: (OUTSIDER, discord.Permissions.none()),
    Who.BANNED: (BANNED, discord.Permissions.none()),
}

Outcome: TypeAlias = RefusalReason | None
"""Why the host refuses; None if it does not. What a game refuses does not depend on who asks."""

Expected: TypeAlias = dict[Who, Outcome]


class Same(Enum):
    """No outcome of its own."""

    AS_EVERYONE = auto()
    AS_STRANGERS = auto()


def rights(
    everyone: Outcome = None,
    *,
    host: Outcome | Same = Same.AS_EVERYONE,
    member: Outcome | Same = Same.AS_EVERYONE,
    moderators: Outcome | Same = Same.AS_EVERYONE,
    owner: Outcome | Same = Same.AS_EVERYONE,
    stranger: Outcome | Same = Same.AS_EVERYONE,
    organizer: Outcome | Same = Same.AS_STRANGERS,
    outsider: Outcome | Same = Same.AS_EVERYONE,
) -> Expected:
    """Return what comes of it for each: as for everyone, unless another outcome is given; the banned may do nothing."""
    given = {
        Who.HOST: host,
        Who.MEMBER: member,
        Who.MODERATOR: moderators,
        Who.ROLE: moderators,
        Who.ORGANIZER: stranger if isinstance(organizer, Same) else organizer,
        Who.OWNER: owner,
        Who.STRANGER: stranger,
        Who.OUTSIDER: outsider,
        Who.BANNED: ModerationReason.BANNED,
    }
    return {who: everyone if isinstance(outcome, Same) else outcome for who, outcome in given.items()}


def make_interaction(who: Who, kind: Callable[..., FakeInteraction], *given: Any, **more: Any) -> Any:
    """Make what someone does."""
    person, permissions = _PEOPLE[who]
    server = SERVER_OF_OUTSIDER if who is Who.OUTSIDER else SERVER
    roles = {Who.ROLE: (MODERATES,), Who.MODERATOR: (KEEPS_ORDER,), Who.ORGANIZER: (ORGANIZES,)}.get(who, ())
    more = {"guild": server, "member": make_member(person, server, *roles), "permissions": permissions, **more}
    if who is Who.OUTSIDER:
        more["channel_id"] = ELSEWHERE
    return kind(person, *given, **more)


async def set_scene(stage: str) -> Adapter:
    """Return an adapter with a table at a stage, at which Robin and Wren have seats; Robin is its host.

    Args:
        stage: One of the stages below; another game than Magpie follows after a space.
    """
    if stage not in _SAVED:
        name, _, game = stage.partition(" ")
        db = MemoryDatabase()
        db.chosen[HERE.scope_id] = chosen({MODERATORS: frozenset({MODERATES}), ORGANIZERS: frozenset({ORGANIZES})})
        adapter = Adapter(db, FakeTableMessages(), load_games_once())
        await _STAGES[name](adapter, game or "magpie")
        ban = Ban(HERE.scope_id, BANNED.id, JAY.id, "", tells_reason=False, banned_at=adapter.clock(), ends_at=None)
        await adapter.app.service(Bans).ban(ban)
        _SAVED[stage] = db.image(), adapter.clock.now
        await adapter.host.close()
    image, now = _SAVED[stage]
    adapter = Adapter(MemoryDatabase(image), FakeTableMessages(), load_games_once())
    adapter.clock.now = now
    await adapter.app.service(Bans).load()
    return adapter


_SAVED: Final[dict[str, tuple[bytes, datetime]]] = {}
"""The database of each stage that was reached, and the time: acts of dozens of people begin there."""


async def _open(adapter: Adapter, game: str) -> Table:
    """Open the table."""
    service = adapter.service
    info = service.games[game].game.info
    table = await open_game(service, game, info.options(), ROBIN, HERE, click_id=500)
    return table if info.is_solo else await service.join(table.id, WREN, 501)


async def _start(adapter: Adapter, game: str) -> Table:
    """Start the game."""
    table = await _open(adapter, game)
    return await adapter.service.start(table.id, ROBIN, _click_with_which_the_host_begins(table))


async def _use_up_time(adapter: Adapter, game: str) -> None:
    """Start the game with a turn clock, and let the host's time end."""
    service = adapter.service
    table = await _open(adapter, game)
    table = await service.choose_clock(table.id, ROBIN, TurnClock.TEN_MINUTES)
    table = await service.start(table.id, ROBIN, _click_with_which_the_host_begins(table))
    adapter.clock.tick(600)
    await service.call_time(table.id, adapter.clock.now)


async def _finish(adapter: Adapter, game: str) -> None:
    """End the game: Wren gives up."""
    table = await _start(adapter, game)
    await adapter.service.apply_seat_action(table.id, WREN, resign_seat, 800)


async def _put_aside(adapter: Adapter, game: str) -> None:
    """Put the game aside after a day without a move."""
    table = await _start(adapter, game)
    adapter.clock.tick(86_400)
    await put_aside(adapter.service, table.id, HERE.channel_id)


async def _open_tournament(adapter: Adapter, game: str) -> Tournament:
    """Open a tournament that Robin and Wren have joined; Robin is its opener."""
    db, now = adapter.db, adapter.service.clock()
    cup = Tournament(0, "Cup", game, "{}", HERE, ROBIN, now, 24)
    added = await db.write(tournament_storage.add, cup, 9, [Job(ADVANCE_KIND, "", now)])
    players = tuple(Player(who.id, who.name, who.id) for who in (ROBIN, WREN))
    joined = replace(added, players=players, revision=added.revision + 1)
    await db.write(tournament_storage.save, added, joined, [])
    return joined


async def _start_tournament(adapter: Adapter, game: str) -> None:
    """Begin the first round of the tournament, whose game has no table yet."""
    joined = await _open_tournament(adapter, game)
    begun = replace(actions.start(joined, "seed", ()), revision=joined.revision + 1)
    await adapter.db.write(tournament_storage.save, joined, begun, [])


async def _open_check_in(adapter: Adapter, game: str) -> None:
    """Open the check-in of a tournament for which Robin and Wren have joined."""
    await _open_tournament(adapter, game)
    joined = await adapter.db.read(tournament_storage.find, 1)
    assert joined is not None
    opened = replace(joined, is_checking_in=True, revision=joined.revision + 1)
    await adapter.db.write(tournament_storage.save, joined, opened, [])


async def _nothing(_: Adapter, __: str) -> None:
    """Open no table."""


def _click_with_which_the_host_begins(table: Table) -> int:
    """Return a click that draws the first turn for the host: the salt decides, and the click is part of it."""
    return next(click for click in range(600, 700) if start(table, ROBIN, click).header.to_move == 0)


_STAGES: Final[dict[str, Callable[[Adapter, str], Awaitable[object]]]] = {
    "nothing": _nothing,
    "lobby": _open,
    "playing": _start,
    "timeup": _use_up_time,
    "finished": _finish,
    "aside": _put_aside,
    "tournament": _open_tournament,
    "round": _start_tournament,
    "check-in": _open_check_in,
}


Act: TypeAlias = Callable[[Adapter, Who], Awaitable[tuple[Any, BaseException | None]]]
"""Does what a case is about; returns the interaction, and what was raised."""


async def find_outcomes(stage: str, expected: Expected, act: Act) -> Expected:
    """Let everyone act, each in a scene of their own; those who have to be refused share one, since nothing changes."""
    refused = [who for who in Who if expected[who] is not None]
    found: Expected = {}
    for group in ([refused] if refused else []) + [[who] for who in Who if who not in refused]:
        adapter = await set_scene(stage)
        try:
            acted = {who: await act(adapter, who) for who in group}
        finally:
            await adapter.host.close()
        for who, (interaction, fault) in acted.items():
            require_no_link_for_outsiders(who, interaction)
            found[who] = outcome_of(fault)
    return found


def outcome_of(fault: BaseException | None) -> Outcome:
    """Return why the host refused, if it did; raise any other error."""
    if fault is None:
        return None
    if not isinstance(fault, Refusal):
        raise fault
    is_of_game = isinstance(fault.reason, CommonReason) or type(fault.reason).__module__.startswith("bot.games.")
    return None if is_of_game else fault.reason


def texts_of(interaction: Any) -> str:
    """Return all that someone was told."""
    embeds = [answer.embed.to_dict() for answer in interaction.answers if answer.embed is not None]
    return "\n".join([*(answer.content or "" for answer in interaction.answers), str(embeds)])


def require_no_link_for_outsiders(who: Who, interaction: Any) -> None:
    """Fail if someone was told of a channel that they can't see."""
    assert who is not Who.OUTSIDER or f"/{HERE.channel_id}" not in texts_of(interaction)
