"""Who may use each command: a new command fails here until it says so."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, TypeAlias

import discord
import pytest
import pytest_asyncio
from discord import app_commands

from bot.app.bootstrap import build_client
from bot.features.invitations.model import InvitationReason
from bot.features.moderation.model import ModerationReason
from bot.features.replays.model import ReplayReason
from bot.features.reviews.model import ReviewReason
from bot.features.settings.reasons import SettingReason
from bot.features.tournaments.model import TournamentReason
from bot.platform.places import Person
from bot.tables.refusals import HostReason
from tests.support.fakes import LINNET, ROBIN, WREN
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_command, make_guest
from tests.ui.fake_servers import KEEPS_ORDER, make_member
from tests.ui.permissions.scenes import (
    BANNED,
    SERVER,
    Expected,
    Who,
    find_outcomes,
    make_interaction,
    rights,
)

R = HostReason
T = TournamentReason


def guest(person: Person = WREN) -> Any:
    return make_guest(discord.Member, id=person.id)


def guest_who_moderates() -> Any:
    return make_member(WREN, SERVER, KEEPS_ORDER)


@dataclass(frozen=True)
class Case:
    """A command, where it is used, and what comes of it for each."""

    stage: str
    expected: Expected
    given: dict[str, Any] = field(default_factory=dict)


ANYWHERE = rights()
NO_TABLE = rights(outsider=R.NO_TABLE_HERE)
PLAYERS = rights(R.NOT_SEATED, host=None, member=None, outsider=R.NO_TABLE_HERE)
TO_MOVE = rights(R.NOT_SEATED, host=None, member=R.NOT_YOUR_TURN, outsider=R.NO_TABLE_HERE)
OWN_SOLO = rights(R.NO_TABLE_HERE, host=None)
MODERATORS = rights(ModerationReason.MODERATORS_ONLY, moderators=None, owner=None)
MANAGERS = rights(SettingReason.NOT_MANAGER, owner=None)
PLAYED_HERE = rights(outsider=ReplayReason.UNKNOWN_REPLAY)

CASES = {
    # Anyone may open a table; the server's rules are tested with them.
    **{f"{game} new": Case("nothing", ANYWHERE) for game in ("magpie", "magic-bag", "fortune", "baggage", "change")},
    "magpie roll": Case("playing", TO_MOVE, {"dice": "all"}),
    "fortune roll": Case("playing fortune", TO_MOVE, {"dice": "all"}),
    "fortune sorceress": Case("playing fortune", TO_MOVE, {"die": 1}),
    "fortune stop": Case("playing fortune", TO_MOVE),
    "magic-bag roll": Case("playing magic_bag", OWN_SOLO, {"keep": "none"}),
    "magic-bag claim": Case("playing magic_bag", OWN_SOLO, {"row": 1}),
    "magic-bag discard": Case("playing magic_bag", OWN_SOLO, {"coin": "sun-2"}),
    "magic-bag finish": Case("playing magic_bag", OWN_SOLO),
    "baggage open": Case("playing houdinis_baggage", TO_MOVE),
    "baggage stop": Case("playing houdinis_baggage", TO_MOVE),
    "baggage done": Case("playing houdinis_baggage", TO_MOVE),
    "baggage bank": Case("playing houdinis_baggage", TO_MOVE, {"card": "green square"}),
    "baggage move": Case("playing houdinis_baggage", TO_MOVE, {"what": "2b to 1a with 12"}),
    "baggage place": Case("playing houdinis_baggage", TO_MOVE, {"what": "green square on 17b"}),
    "baggage take": Case("playing houdinis_baggage", TO_MOVE, {"what": "1"}),
    "change roll": Case("playing change", TO_MOVE),
    "change challenge": Case("playing change", TO_MOVE),
    "change done": Case("playing change", TO_MOVE),
    "change move": Case("playing change", TO_MOVE, {"space": "envy"}),
    "change card": Case("playing change", TO_MOVE, {"play": "add 3"}),
    "change choose": Case("playing change", TO_MOVE, {"what": "me"}),
    "change hand": Case("playing change", PLAYERS),
    "table show": Case("lobby", NO_TABLE),
    "table read": Case("playing", NO_TABLE),
    "table news": Case("playing", NO_TABLE),
    "table hint": Case("playing", TO_MOVE),
    "table invite": Case(
        "lobby",
        rights(InvitationReason.NO_SEAT_TO_INVITE_FROM, host=None, member=None, outsider=R.NO_TABLE_HERE),
        {"person": guest(Person(77, "Guest"))},
    ),
    "table kick": Case(
        "lobby",
        rights(None, member=R.NOT_OPENER, stranger=R.NOT_OPENER, outsider=R.NO_TABLE_HERE),
        {"person": guest()},
    ),
    "table resign": Case("playing", PLAYERS),
    "table substitute": Case("playing", rights(R.NOT_SEATED, host=R.OWN_TURN, member=None, outsider=R.NO_TABLE_HERE)),
    "table back": Case(
        "playing",
        rights(R.NOT_SEATED, host=R.NOT_SUBSTITUTED, member=R.NOT_SUBSTITUTED, outsider=R.NO_TABLE_HERE),
    ),
    "table undo": Case(
        "playing",
        rights(R.NOT_SEATED, host=R.NOTHING_TO_TAKE_BACK, member=R.NOTHING_TO_TAKE_BACK, outsider=R.NO_TABLE_HERE),
    ),
    "table cancel": Case(
        "lobby",
        rights(
            None,
            member=R.NOT_OPENER_NOR_MODERATOR,
            stranger=R.NOT_OPENER_NOR_MODERATOR,
            outsider=R.NO_TABLE_HERE,
        ),
    ),
    "table cancel (of a game, with a reason)": Case(
        "playing",
        rights(
            None,
            member=R.NOT_OPENER_NOR_MODERATOR,
            stranger=R.NOT_OPENER_NOR_MODERATOR,
            outsider=R.NO_TABLE_HERE,
        ),
        {"reason": "spam"},
    ),
    "table cancel (of the host's solo game)": Case(
        "playing magic_bag",
        rights(None, member=R.NOT_MODERATOR, stranger=R.NOT_MODERATOR, outsider=R.NOT_MODERATOR),
        {"person": guest(ROBIN)},
    ),
    "table verify": Case("finished", rights(outsider=R.NO_TABLE_YET)),
    "table resume": Case("aside", rights(None, stranger=R.NOTHING_ASIDE, outsider=R.NOTHING_ASIDE), {"table": "1"}),
    "table replay": Case("finished", PLAYED_HERE, {"table": "1"}),
    # Nobody has moved, so there is nothing to review for those who may.
    "table review": Case(
        "finished", rights(ReviewReason.NO_REVIEW, outsider=ReplayReason.UNKNOWN_REPLAY), {"table": "1"}
    ),
    "table share": Case(
        "finished",
        rights(R.NOT_YOURS_TO_SHARE, host=None, member=None, outsider=ReplayReason.UNKNOWN_REPLAY),
        {"table": "1"},
    ),
    "play": Case("nothing", ANYWHERE),
    "learn": Case("nothing", ANYWHERE, {"game": "magpie"}),
    "help": Case("nothing", ANYWHERE),
    "rules": Case("nothing", ANYWHERE, {"game": "magpie"}),
    "puzzle": Case("nothing", ANYWHERE),
    "daily": Case("nothing", ANYWHERE),
    "history": Case("finished", ANYWHERE),
    "badges": Case("finished", ANYWHERE, {"member": guest(ROBIN)}),
    "profile": Case("finished", ANYWHERE, {"member": guest(ROBIN)}),
    "season": Case("finished", ANYWHERE),
    "versus": Case("finished", rights(host=R.VERSUS_YOURSELF), {"member": guest(ROBIN)}),
    "leaderboard": Case("finished", ANYWHERE, {"game": "magpie"}),
    "block": Case("nothing", ANYWHERE, {"member": guest(Person(77, "Guest"))}),
    "unblock": Case("nothing", ANYWHERE),
    "privacy": Case("nothing", ANYWHERE),
    "mytables": Case("playing", ANYWHERE),
    "ping here": Case("playing", PLAYERS),
    "ping always": Case("nothing", ANYWHERE),
    "ping quiet": Case("nothing", ANYWHERE, {"start": 22, "end": 7, "zone": "Europe/Berlin"}),
    "ping daily": Case("nothing", ANYWHERE, {"hour": 8, "zone": "Europe/Berlin"}),
    "ping anytime": Case("nothing", ANYWHERE),
    "tournament new": Case("nothing", ANYWHERE, {"game": "magpie"}),
    "tournament new (with a name)": Case(
        "nothing",
        rights(T.MAY_NOT_NAME, organizer=None, moderators=None, owner=None),
        {"game": "magpie", "name": "Cup"},
    ),
    "tournament new (with a check-in)": Case("nothing", ANYWHERE, {"game": "magpie", "starts": "30m", "checkin": 10}),
    "tournament new (with a check-in that is too long)": Case(
        "nothing", rights(T.CHECK_IN_TOO_LONG), {"game": "magpie", "starts": "30m", "checkin": 30}
    ),
    "tournament show": Case("tournament", rights(outsider=T.NONE_HERE)),
    "tournament list": Case("tournament", rights(outsider=T.NONE_HERE)),
    "tournament withdraw": Case("tournament", rights(T.NOT_IN_IT, host=None, member=None, outsider=T.NONE_HERE)),
    "tournament withdraw (the member)": Case(
        "tournament",
        rights(None, stranger=T.NOT_ORGANIZER, organizer=None, outsider=T.NONE_HERE),
        {"member": guest(WREN)},
    ),
    "tournament withdraw (the host)": Case(
        "tournament",
        rights(None, member=T.NOT_ORGANIZER, stranger=T.NOT_ORGANIZER, organizer=None, outsider=T.NONE_HERE),
        {"member": guest(ROBIN)},
    ),
    "tournament replace": Case(
        "tournament",
        rights(None, member=T.NOT_ORGANIZER, stranger=T.NOT_ORGANIZER, organizer=None, outsider=T.NONE_HERE),
        {"member": guest(ROBIN), "by": guest(Person(77, "Guest"))},
    ),
    "tournament readmit": Case(
        "tournament",
        rights(
            T.NOT_TAKEN_OUT,
            member=T.NOT_ORGANIZER,
            stranger=T.NOT_ORGANIZER,
            organizer=T.NOT_TAKEN_OUT,
            outsider=T.NONE_HERE,
        ),
        {"member": guest(ROBIN)},
    ),
    "tournament reschedule": Case(
        "tournament",
        rights(None, member=T.NOT_ORGANIZER, stranger=T.NOT_ORGANIZER, organizer=None, outsider=T.NONE_HERE),
        {"starts": "30m"},
    ),
    "server ban": Case("playing", MODERATORS, {"member": guest()}),
    "server unban": Case("nothing", MODERATORS, {"member": guest(BANNED)}),
    "server bans": Case("nothing", MODERATORS),
    "server tables": Case("playing", MODERATORS),
    "server tables (with a reason)": Case("playing", MODERATORS, {"reason": "spam"}),
    "server ban (of a moderator)": Case(
        "playing",
        rights(
            ModerationReason.MODERATORS_ONLY,
            moderators=ModerationReason.BAN_OF_MODERATOR,
            owner=ModerationReason.BAN_OF_MODERATOR,
        ),
        {"member": guest_who_moderates()},
    ),
    "server ban (of oneself)": Case(
        "playing",
        rights(ModerationReason.MODERATORS_ONLY, moderators=None, owner=ModerationReason.BAN_OF_YOURSELF),
        {"member": guest(LINNET)},
    ),
    "server unban (of a member who is not banned)": Case(
        "nothing",
        rights(
            ModerationReason.MODERATORS_ONLY, moderators=ModerationReason.NOT_BANNED, owner=ModerationReason.NOT_BANNED
        ),
        {"member": guest()},
    ),
    "table kick (of a player)": Case(
        "playing", rights(R.ALREADY_STARTED, moderators=None, owner=None, outsider=R.NO_TABLE_HERE), {"person": guest()}
    ),
    "settings show": Case("nothing", MANAGERS),
    "settings set": Case("nothing", MANAGERS, {"setting": "clock", "value": "one_day"}),
    "settings channels": Case("nothing", MANAGERS),
    "settings roles": Case("nothing", MANAGERS, {"setting": "openers"}),
    "settings game": Case("nothing", MANAGERS, {"game": "magpie", "on": False}),
    "settings options": Case("nothing", MANAGERS, {"game": "magpie"}),
    "settings log": Case("nothing", MANAGERS),
    "settings fixed": Case("nothing", MANAGERS, {"what": "clock", "fixed": True}),
    "settings changes": Case("nothing", MANAGERS),
    "settings daily": Case("nothing", MANAGERS, {"hour": 8, "off": True}),
    "settings tournaments": Case("nothing", MANAGERS, {"off": True}),
    "server check": Case("nothing", MANAGERS),
}


def command_of(name: str) -> str:
    """Return the command of a case; what it is used for stands in brackets."""
    return name.partition(" (")[0]


Command: TypeAlias = app_commands.Command[Any, ..., Any]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def commands() -> dict[str, Command]:
    """The commands of the bot; each uses the features of the client that it is given."""
    client = build_client(MemoryDatabase(), load_games_once())
    await client.load_cogs()
    found = client.tree.walk_commands()
    return {each.qualified_name: each for each in found if isinstance(each, app_commands.Command)}


def test_every_command_says_who_may_use_it(commands: dict[str, Command]) -> None:
    assert commands.keys() == {command_of(name) for name in CASES}


@pytest.mark.parametrize("name", CASES)
async def test_each_command_is_for_those_it_is_meant_for(commands: dict[str, Command], name: str) -> None:
    case, command = CASES[name], commands[command_of(name)]
    bound = () if command.binding is None else (command.binding,)
    # discord.py fills in what was left out.
    given = {each.name: each.default for each in command.parameters if not each.required} | case.given

    async def use(adapter: Adapter, who: Who) -> tuple[Any, BaseException | None]:
        adapter.clock.tick(180 if name == "table substitute" else 0)
        interaction = make_interaction(who, make_command)
        interaction.client = SimpleNamespace(app=adapter.app)
        # The client asks this before it passes anything on.
        if (refusal := await adapter.app.find_refusal(interaction)) is not None:
            return interaction, refusal
        try:
            await command.callback(*bound, interaction, **given)
        except Exception as raised:  # noqa: BLE001 - it is looked at
            return interaction, raised
        return interaction, None

    assert await find_outcomes(case.stage, case.expected, use) == case.expected
