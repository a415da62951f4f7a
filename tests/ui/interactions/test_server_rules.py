"""The rules of servers: where games are played, which, by whom tables are opened, and who moderates."""

from collections.abc import Mapping
from contextlib import nullcontext
from types import MappingProxyType, SimpleNamespace
from typing import Any

import discord
import pytest

from bot.features.settings.all_settings import CHANNELS, GAMES as GAMES_SETTING, OPTIONS
from bot.features.settings.choices import CoolDown, Most
from bot.features.settings.kinds import Setting
from bot.features.settings.reasons import SettingReason
from bot.features.settings.rights import COOL_DOWN, FIXED, MEMBER_TABLES, MODERATORS, OPENERS, SERVER_TABLES
from bot.features.settings.service import ServerRules, SettingsCache
from bot.games.magpie.pieces import MagpieOptions
from bot.rules.refusals import Refusal
from bot.tables.model import HostChoice, OpeningLimits
from bot.tables.refusals import GameFacts, HostReason, PlacesFacts
from bot.tables.registry import usual_level
from bot.words import gettext
from tests.support.chosen_settings import chosen
from tests.support.each_case import each_case
from tests.support.fakes import GAMES, HERE, ROBIN, FakeClock
from tests.support.memory_database import MemoryDatabase
from tests.ui.fake_interactions import SERVER_ERROR, make_command
from tests.ui.fake_servers import make_member, make_server

OTHER, HIDDEN, GONE = 81, 82, 83
ROLE, OTHER_ROLE, GONE_ROLE = 501, 502, 503
SERVER = make_server(HERE.channel_id, OTHER, HIDDEN, hidden=(HIDDEN,), roles=(ROLE, OTHER_ROLE))


def make_rules(
    db: MemoryDatabase, values: Mapping[Setting[Any], Any] = MappingProxyType({}), clock: FakeClock | None = None
) -> ServerRules:
    db.chosen[HERE.scope_id] = chosen(values)
    return ServerRules(SettingsCache(db), GAMES, clock or FakeClock())


def interaction(*roles: int, **more: Any) -> Any:
    return make_command(ROBIN, **{"guild": SERVER, "member": make_member(ROBIN, SERVER, *roles), **more})


async def refusal_of(rules: ServerRules, asked: Any) -> Refusal | None:
    """Return how opening a table of Magpie is refused, if it is."""
    try:
        await rules.require_may_open(asked, "magpie")
    except Refusal as refusal:
        return refusal
    return None


@each_case(
    "channels, refusal",
    [
        (set(), None),
        ({HERE.channel_id}, None),
        ({HERE.channel_id, OTHER}, None),
        ({OTHER}, Refusal(SettingReason.PLAYED_ELSEWHERE, PlacesFacts("<#81>"))),
        ({OTHER, HIDDEN, GONE}, Refusal(SettingReason.PLAYED_ELSEWHERE, PlacesFacts("<#81>"))),
        ({HIDDEN}, Refusal(SettingReason.NOT_PLAYED_HERE)),
        ({GONE}, Refusal(SettingReason.NOT_PLAYED_HERE)),
    ],
)
async def test_tables_are_opened_in_the_chosen_channels_that_still_exist(
    db: MemoryDatabase, channels: set[int], refusal: Refusal | None
) -> None:
    rules = make_rules(db, {CHANNELS: frozenset(channels)})
    assert await refusal_of(rules, interaction()) == refusal


async def test_a_chosen_channel_costs_no_request_and_without_an_answer_no_other_is_named(db: MemoryDatabase) -> None:
    server = make_server(HERE.channel_id, OTHER)
    server.fetch_channels.side_effect = SERVER_ERROR
    rules = make_rules(db, {CHANNELS: frozenset({HERE.channel_id})})
    assert await refusal_of(rules, interaction(guild=server)) is None
    assert not server.fetch_channels.called
    rules = make_rules(db, {CHANNELS: frozenset({OTHER})})
    assert await refusal_of(rules, interaction(guild=server)) == Refusal(SettingReason.NOT_PLAYED_HERE)


async def test_threads_belong_to_their_channels(db: MemoryDatabase) -> None:
    rules = make_rules(db, {CHANNELS: frozenset({OTHER})})
    thread, elsewhere = SimpleNamespace(parent_id=OTHER), SimpleNamespace(parent_id=HIDDEN)
    assert await refusal_of(rules, interaction(channel=thread, channel_id=900)) is None
    assert await refusal_of(rules, interaction(channel=elsewhere, channel_id=900)) is not None


@each_case(
    "openers, held, permissions, may",
    [
        ((), (), {}, True),
        ((ROLE,), (ROLE,), {}, True),
        ((ROLE,), (OTHER_ROLE,), {}, False),
        ((ROLE, OTHER_ROLE), (OTHER_ROLE,), {}, True),
        ((ROLE,), (), {}, False),
        ((ROLE,), (), {"manage_guild": True}, True),
        ((ROLE,), (), {"manage_messages": True}, True),
        ((GONE_ROLE,), (), {}, True),
        ((ROLE, GONE_ROLE), (GONE_ROLE,), {}, False),
    ],
)
async def test_tables_are_opened_by_the_chosen_roles_and_by_moderators(
    db: MemoryDatabase, openers: tuple[int, ...], held: tuple[int, ...], permissions: dict[str, bool], *, may: bool
) -> None:
    rules = make_rules(db, {OPENERS: frozenset(openers)})
    refusal = await refusal_of(rules, interaction(*held, permissions=discord.Permissions(**permissions)))
    assert (refusal is None) is may
    assert refusal is None or refusal.facts.by_name() == {"roles": "<@&501>"}


@each_case(
    "guild_id, held, permissions, expected",
    [
        (3, (), {"manage_messages": True}, True),
        (3, (), {"manage_guild": True}, True),
        (3, (), {"manage_channels": True}, False),
        (3, (ROLE,), {}, True),
        (3, (OTHER_ROLE,), {}, False),
        (3, (GONE_ROLE,), {}, False),
        (None, (ROLE,), {"manage_messages": True}, False),
    ],
)
async def test_moderators_have_a_permission_or_a_chosen_role(
    db: MemoryDatabase, guild_id: int | None, held: tuple[int, ...], permissions: dict[str, bool], *, expected: bool
) -> None:
    rules = make_rules(db, {MODERATORS: frozenset({ROLE, GONE_ROLE})})
    asked = interaction(*held, guild_id=guild_id, permissions=discord.Permissions(**permissions))
    assert await rules.may_moderate(asked) is expected


@each_case(
    "permissions, seconds, values, may, limits",
    [
        ({}, 19, {}, False, OpeningLimits(3)),
        ({}, 20, {}, True, OpeningLimits(3)),
        ({}, 0, {COOL_DOWN: CoolDown.NONE, MEMBER_TABLES: Most.ANY}, True, OpeningLimits()),
        ({}, 59, {COOL_DOWN: CoolDown.ONE_MINUTE, SERVER_TABLES: Most.TEN}, False, OpeningLimits(3, 10)),
        ({"manage_messages": True}, 0, {SERVER_TABLES: Most.TEN}, True, OpeningLimits()),
    ],
)
async def test_members_open_some_tables_one_after_another_and_moderators_as_many_as_they_like(
    db: MemoryDatabase,
    permissions: dict[str, bool],
    seconds: int,
    values: Mapping[Setting[Any], Any],
    limits: OpeningLimits,
    *,
    may: bool,
) -> None:
    clock = FakeClock()
    rules = make_rules(db, values, clock)
    asked = interaction(permissions=discord.Permissions(**permissions))
    with pytest.raises(ValueError, match="not opened"):
        async with rules.pacing(asked):
            raise ValueError("not opened")
    async with rules.pacing(asked) as found:
        assert found == limits
    clock.tick(seconds)
    with nullcontext() if may else pytest.raises(Refusal, match=SettingReason.OPENED_JUST_NOW):
        async with rules.pacing(asked):
            pass
    async with rules.pacing(interaction(guild_id=None, channel_id=90)):
        pass


@each_case(
    "fixed, given, level, may",
    [
        ((), {"target": 50}, "strong", True),
        ((HostChoice.OPTIONS,), {}, "strong", True),
        ((HostChoice.OPTIONS,), {"target": 200}, "", True),
        ((HostChoice.OPTIONS,), {"target": 50}, "", False),
        ((HostChoice.LEVELS,), {"target": 50}, "strong", False),
        ((HostChoice.LEVELS,), {"target": 50}, usual_level(GAMES["magpie"]), True),
        ((HostChoice.CLOCK, HostChoice.PACE, HostChoice.HINTS), {"target": 50}, "strong", True),
    ],
)
async def test_a_new_table_has_what_the_server_has_fixed(
    db: MemoryDatabase, fixed: tuple[HostChoice, ...], given: dict[str, int], level: str, *, may: bool
) -> None:
    rules = make_rules(db, {FIXED: frozenset(fixed), OPTIONS: {"magpie": '{"target": 200}'}})
    options = await rules.complete_options(interaction(), "magpie", given)
    with nullcontext() if may else pytest.raises(Refusal, match=HostReason.FIXED_BY_SERVER):
        await rules.require_unfixed(interaction(), "magpie", options, {level})


async def test_a_moderator_by_permission_costs_no_read(db: MemoryDatabase) -> None:
    rules = make_rules(db)
    assert await rules.may_moderate(interaction(permissions=discord.Permissions(manage_messages=True)))
    assert db.calls == []


async def test_a_game_that_is_off_is_neither_offered_nor_opened(db: MemoryDatabase) -> None:
    rules = make_rules(db, {GAMES_SETTING: frozenset({"magpie", "chess"})})
    assert set(await rules.games_on(interaction())) == set(GAMES) - {"magpie"}
    assert await refusal_of(rules, interaction()) == Refusal(SettingReason.GAME_OFF, GameFacts(gettext("Magpie")))


async def test_a_direct_message_follows_no_rules_of_servers(db: MemoryDatabase) -> None:
    rules = make_rules(db, {CHANNELS: frozenset({OTHER}), OPENERS: frozenset({ROLE}), GAMES_SETTING: frozenset(GAMES)})
    direct = make_command(ROBIN, guild_id=None, channel_id=HERE.scope_id)
    assert await refusal_of(rules, direct) is None
    assert db.calls == []


@each_case(
    "stored, given, target",
    [
        ("{}", {}, MagpieOptions().target),
        ('{"target": 200}', {}, 200),
        ('{"target": 200}', {"target": 300}, 300),
        ('{"target": -1, "unknown": 3}', {}, MagpieOptions().target),
        ('["nonsense"]', {}, MagpieOptions().target),
    ],
)
async def test_a_new_table_starts_with_the_options_of_the_server(
    db: MemoryDatabase, stored: str, given: dict[str, Any], target: int
) -> None:
    rules = make_rules(db, {OPTIONS: {"magpie": stored}})
    options: Any = await rules.complete_options(interaction(), "magpie", given)
    assert options.target == target


async def test_options_that_the_game_does_not_allow_are_refused_whatever_the_defaults(db: MemoryDatabase) -> None:
    rules = make_rules(db, {OPTIONS: {"magpie": '{"target": 200}'}})
    with pytest.raises(Refusal) as refused:
        await rules.complete_options(interaction(), "magpie", {"target": -1})
    assert refused.value.reason is HostReason.NO_SUCH_CHOICE
