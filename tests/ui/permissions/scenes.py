"""Who acts, at which table, and what comes of it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any, Final, TypeAlias

import discord

from bot.features.settings.all_settings import MODERATORS
from bot.features.tournaments import storage as tournament_storage
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
from tests.ui.fake_servers import make_member, make_server

ELSEWHERE: Final = 71
"""A channel of the same server, whose people need not see the other."""

MODERATES: Final = 501
"""A role that moderates tables."""

OUTSIDER: Final = Person(98, "Outsider")
SERVER: Final = make_server(HERE.channel_id, ELSEWHERE, roles=(MODERATES,))
SERVER_OF_OUTSIDER: Final = make_server(HERE.channel_id, ELSEWHERE, hidden=(HERE.channel_id,), roles=(MODERATES,))


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
    OWNER = auto()
    STRANGER = auto()
    """Sees the channel, without a seat."""
    OUTSIDER = auto()
    """Does not see the channel, and acts in another one."""


_PEOPLE: Final = {
    Who.HOST: (ROBIN, discord.Permissions.none()),
    Who.MEMBER: (WREN, discord.Permissions.none()),
    Who.MODERATOR: (JAY, discord.Permissions(manage_messages=True)),
    Who.ROLE: (STRANGER, discord.Permissions.none()),
    Who.OWNER: (LINNET, discord.Permissions.all()),
    Who.STRANGER: (STRANGER, discord.Permissions.none()),
    Who.OUTSIDER: (OUTSIDER, discord.Permissions.none()),
}

Outcome: TypeAlias = RefusalReason | None
"""Why the host refuses; None if it does not. What a game refuses does not depend on who asks."""

Expected: TypeAlias = dict[Who, Outcome]


class Same(Enum):
    """No outcome of its own."""

    AS_EVERYONE = auto()


def rights(
    everyone: Outcome = None,
    *,
    host: Outcome | Same = Same.AS_EVERYONE,
    member: Outcome | Same = Same.AS_EVERYONE,
    moderators: Outcome | Same = Same.AS_EVERYONE,
    owner: Outcome | Same = Same.AS_EVERYONE,
    stranger: Outcome | Same = Same.AS_EVERYONE,
    outsider: Outcome | Same = Same.AS_EVERYONE,
) -> Expected:
    """Return what comes of it for each: as for everyone, unless another outcome is given."""
    given = {
        Who.HOST: host,
        Who.MEMBER: member,
        Who.MODERATOR: moderators,
        Who.ROLE: moderators,
        Who.OWNER: owner,
        Who.STRANGER: stranger,
        Who.OUTSIDER: outsider,
    }
    return {who: everyone if isinstance(outcome, Same) else outcome for who, outcome in given.items()}


def make_interaction(who: Who, kind: Callable[..., FakeInteraction], *given: Any, **more: Any) -> Any:
    """Make what someone does."""
    person, permissions = _PEOPLE[who]
    server = SERVER_OF_OUTSIDER if who is Who.OUTSIDER else SERVER
    roles = (MODERATES,) if who is Who.ROLE else ()
    more = {"guild": server, "member": make_member(person, server, *roles), "permissions": permissions, **more}
    if who is Who.OUTSIDER:
        more["channel_id"] = ELSEWHERE
    return kind(person, *given, **more)


@dataclass
class Scene:
    """An adapter with a table at which Robin and Wren have seats; Robin is its host."""

    adapter: Adapter
    game: str = "magpie"
    table: Table | None = None
    before: list[Awaitable[object]] = field(default_factory=list)

    @classmethod
    async def set(cls, stage: str) -> "Scene":
        """Make the adapter and bring a table to a stage."""
        db = MemoryDatabase()
        db.chosen[HERE.scope_id] = chosen({MODERATORS: frozenset({MODERATES})})
        scene = cls(Adapter(db, FakeTableMessages(), load_games_once()))
        await _STAGES[stage.partition(" ")[0]](scene, stage.partition(" ")[2] or "magpie")
        return scene

    async def open(self, game: str) -> Table:
        """Open the table."""
        service = self.adapter.service
        options = service.games[game].game.info.options()
        table = await open_game(service, game, options, ROBIN, HERE, click_id=500)
        if not service.games[game].game.info.is_solo:
            table = await service.join(table.id, WREN, 501)
        self.game, self.table = game, table
        return table

    async def start(self, game: str) -> Table:
        """Start the game."""
        table = await self.open(game)
        self.table = await self.adapter.service.start(table.id, ROBIN, _click_with_which_the_host_begins(table))
        return self.table

    async def use_up_time(self, game: str) -> None:
        """Start the game with a turn clock, and let the host's time end."""
        service = self.adapter.service
        table = await self.open(game)
        table = await service.choose_clock(table.id, ROBIN, TurnClock.TEN_MINUTES)
        table = await service.start(table.id, ROBIN, _click_with_which_the_host_begins(table))
        self.adapter.clock.tick(600)
        self.table = await service.call_time(table.id, self.adapter.clock.now)

    async def finish(self, game: str) -> None:
        """End the game: Wren gives up."""
        table = await self.start(game)
        self.table = await self.adapter.service.apply_seat_action(table.id, WREN, resign_seat, 800)

    async def put_aside(self, game: str) -> None:
        """Put the game aside after a day without a move."""
        table = await self.start(game)
        self.adapter.clock.tick(86_400)
        await put_aside(self.adapter.service, table.id, HERE.channel_id)

    async def open_tournament(self, game: str) -> None:
        """Open a tournament that Robin and Wren have joined; Robin is its opener."""
        db, now = self.adapter.db, self.adapter.service.clock()
        cup = Tournament(0, "Cup", game, "{}", HERE, ROBIN, now, 24)
        added = await db.write(tournament_storage.add, cup, 9, [Job(ADVANCE_KIND, "", now)])
        assert added is not None
        players = tuple(Player(who.id, who.name, who.id) for who in (ROBIN, WREN))
        await db.write(tournament_storage.save, added, replace(added, players=players, revision=added.revision + 1), [])

    async def nothing(self, _: str) -> None:
        """Open no table."""


def _click_with_which_the_host_begins(table: Table) -> int:
    """Return a click that draws the first turn for the host: the salt decides, and the click is part of it."""
    return next(click for click in range(600, 700) if start(table, ROBIN, click).header.to_move == 0)


_STAGES: Final[dict[str, Callable[[Scene, str], Awaitable[object]]]] = {
    "nothing": Scene.nothing,
    "lobby": Scene.open,
    "playing": Scene.start,
    "timeup": Scene.use_up_time,
    "finished": Scene.finish,
    "aside": Scene.put_aside,
    "tournament": Scene.open_tournament,
}


Act: TypeAlias = Callable[[Scene, Who], Awaitable[tuple[Any, BaseException | None]]]
"""Does what a case is about; returns the interaction, and what was raised."""


async def find_outcomes(stage: str, expected: Expected, act: Act) -> Expected:
    """Let everyone act, each in a scene of their own; those who have to be refused share one, since nothing changes."""
    refused = [who for who in Who if expected[who] is not None]
    found: Expected = {}
    for group in ([refused] if refused else []) + [[who] for who in Who if who not in refused]:
        scene = await Scene.set(stage)
        try:
            acted = {who: await act(scene, who) for who in group}
        finally:
            await scene.adapter.host.close()
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
