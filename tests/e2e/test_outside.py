"""The bot outside: people who have installed it for themselves play alone, by the tokens of their clicks."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from discord.app_commands import CommandInvokeError
from sqlalchemy import select

from bot.features.challenges.ids import ChallengeButton, ChallengeId
from bot.features.fairness.handlers import CheckDiceId
from bot.features.host_news import announce
from bot.features.puzzles.messages import PuzzleChoiceId
from bot.features.replays.messages import ReplayButton, ReplayId
from bot.features.reviews.messages import ReviewId
from bot.platform.clock import utc_now
from bot.platform.discord.ids import UnknownId, parse_id
from bot.platform.discord.refusals import ClickReason
from bot.rules.refusals import Refusal, RefusalReason
from bot.sandbox import Person, Sandbox
from bot.sandbox.model.application import BRANCH_TYPES, OptionType
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.interactions import Interaction, InteractionState
from bot.sandbox.model.messages import Message
from bot.sandbox.wire import Json
from bot.tables.handlers.ids import MoreId, ReadTableId, WhatHappenedId
from bot.tables.results import results
from bot.tables.schema import tables
from tests.support.parlour import ROLL, Parlour, button_id, is_played, run_parlour

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("frequent_checks")]

_AFTER_TOKENS: Final = 16 * 60.0
"""Seconds after which the tokens of earlier interactions are no longer valid."""

IDS: Final = Path(__file__).parents[1] / "golden" / "custom_ids.txt"

COMMANDS_OF_SERVERS: Final = (
    *("season", "server", "tournament", "versus"),
    *("settings channels", "settings daily", "settings fixed", "settings game", "settings log", "settings options"),
    *("settings roles", "settings tournaments"),
    *("table invite", "table kick", "table share"),
)
"""The commands, and groups of commands, for servers with the bot."""

_OF_SERVERS: Final = tuple(f"{each} " for each in COMMANDS_OF_SERVERS)

KINDS_OF_SERVERS: Final = frozenset(
    ("AN", "BL", "BN", "D", "SM", "SU", "Sd", "Sp", "Sr", "VA", "VC", "VK", "VT", "lb", "ls", "privacy")
)
"""The kinds of buttons and menus of which at least one is for servers with the bot."""


@pytest.fixture
def pair(sandbox: Sandbox) -> Channel:
    """Robin's direct messages with Wren; Robin alone has installed the bot."""
    sandbox.world.installers.add(sandbox.person("Robin").id)
    return sandbox.world.add_people_channel(*(sandbox.person(name).user for name in ("Robin", "Wren")))


@pytest.fixture
def group(sandbox: Sandbox) -> Channel:
    """Direct messages of three people."""
    return sandbox.world.add_people_channel(*(sandbox.person(name).user for name in ("Robin", "Wren", "Jay")))


@pytest.fixture
def yard(sandbox: Sandbox) -> Channel:
    """A channel of a server that the bot has left."""
    server = sandbox.world.add_server(sandbox.world.snowflakes.next_id(), "Garden House")
    channel = sandbox.world.add_channel(server, "yard")
    sandbox.world.remove_bot(server)
    return channel


async def open_in(place: Channel, robin: Person, command: str, **options: object) -> Message:
    """Use a command outside, and return the message that answers Robin alone."""
    answer = await robin.slash(place, command, **options)
    assert answer.ephemeral, answer.text
    return answer.replies[0]


async def press_first(robin: Person, message: Message) -> Interaction:
    """Press the first button that can be pressed: it starts a game, goes on with it, or starts the next one."""
    return await robin.click(message, next(each.custom_id for each in message.buttons if not each.disabled) or "")


async def play_on(parlour: Parlour, message: Message) -> None:
    """Play Magpie to its end in the message of its table."""
    while is_played(message):
        await parlour.robin.click(message, button_id(message, ROLL))
        await parlour.sandbox.until(lambda: not (is_played(message) and message.buttons[0].disabled))


def requests_in(sandbox: Sandbox, *places: Channel) -> list[str]:
    """Return the requests with the bot's token to some channels."""
    paths = [request.path for request in sandbox.requests]
    return [path for path in paths if any(f"/channels/{place.id}" in path for place in places)]


async def test_games_are_played_without_the_bot_and_seen_by_their_player_alone(
    sandbox: Sandbox, tmp_path: Path, pair: Channel, group: Channel
) -> None:
    database = tmp_path / "parlour.sqlite3"
    async with run_parlour(sandbox, database, user_install=True) as parlour:
        robin = parlour.robin
        bag = await open_in(group, robin, "magic-bag new")
        for _ in range(5):
            await press_first(robin, bag)
        assert (await parlour.table(group)).header.step > 0
        puzzle = await open_in(pair, robin, "puzzle")
        (answered,) = [each.custom_id or "" for each in puzzle.buttons if _is_a(PuzzleChoiceId, each.custom_id)][:1]
        await robin.click(puzzle, answered)
        assert not [each for each in puzzle.buttons if _is_a(PuzzleChoiceId, each.custom_id) and not each.disabled]
        today = await open_in(pair, robin, "daily")
        play = next(each.custom_id or "" for each in today.buttons if _plays(each.custom_id))
        await robin.click(today, play)
        await press_first(robin, today)
        magpie = await open_in(pair, robin, "magpie new", computers=1, target=50)
        await press_first(robin, magpie)
        await sandbox.until(lambda: is_played(magpie) and not magpie.buttons[0].disabled)
        await play_on(parlour, magpie)
        found = await parlour.db.read(lambda connection: connection.execute(select(results.c.guild_id)).scalars().all())
        assert found == [None, None]
        await _require_secrecy(parlour, pair, magpie)
        # A new message shows the next game; once its token has run out, nothing shows its moves until the next command.
        again = (await press_first(robin, magpie)).replies[0]
        await sandbox.until(lambda: not again.buttons[0].disabled)
        sandbox.world.clock.advance(_AFTER_TOKENS)
        before, step = again.text, (await parlour.table(pair)).header.step
        await robin.slash(pair, "magpie roll", dice="all")
        await parlour.wait_until_settled()
        assert (await parlour.table(pair)).header.step > step
        assert again.text == before
        shown = await open_in(pair, robin, "table show")
        assert shown.text != before
        # What is told in channels with open tables is not told here.
        await parlour.open_table(parlour.wren)
        await announce(parlour.db, "A restart.", utc_now(), timedelta(minutes=10))
        await sandbox.until(lambda: "A restart." in parlour.here.messages[-1].text)
    async with run_parlour(sandbox, database, user_install=True) as parlour:
        await play_on(parlour, shown)
    assert sandbox.person("Wren").visible_messages(pair) == sandbox.person("Wren").visible_messages(group) == []
    assert requests_in(sandbox, pair, group) == []


async def _require_secrecy(parlour: Parlour, pair: Channel, message: Message) -> None:
    """Demand that the other person of a pair is shown nothing of the finished table in a message, by forged clicks."""
    its_id = select(tables.c.id).where(tables.c.message_id == message.id)
    table_id = await parlour.db.read(lambda connection: connection.execute(its_id).scalar_one())
    wren, refused = parlour.wren, _note_refusals(parlour)
    parlour.sandbox.world.installers.add(wren.id)
    own = await open_in(pair, wren, "help")
    asked = (
        ReadTableId(table_id),
        WhatHappenedId(table_id),
        MoreId(table_id),
        CheckDiceId(table_id),
        ReplayId(table_id, 0, ReplayButton.OPEN),
        ReviewId(table_id),
    )
    clicks = [await wren.click(own, str(each), forged=True) for each in asked]
    assert {each.id for each in clicks} <= refused.keys()
    wren.dismiss(own)
    for click in clicks:
        for reply in click.replies:
            wren.dismiss(reply)


def _is_a(kind: type, custom_id: str | None) -> bool:
    try:
        return isinstance(parse_id(custom_id or ""), kind)
    except UnknownId:
        return False


def _plays(custom_id: str | None) -> bool:
    return _is_a(ChallengeId, custom_id) and parse_id(custom_id or "").button is ChallengeButton.PLAY  # type: ignore[attr-defined]


async def test_every_command_and_button_is_answered_or_needs_a_server(
    sandbox: Sandbox, tmp_path: Path, pair: Channel, yard: Channel
) -> None:
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3", user_install=True) as parlour:
        robin, refused = parlour.robin, _note_refusals(parlour)
        for place, reason in (
            (pair, ClickReason.NEEDS_A_SERVER),
            (yard, ClickReason.NEEDS_THIS_SERVER),
        ):
            paths, of_servers = list[str](), list[str]()
            for command in sandbox.world.commands_in(place, robin.user):
                for path, options in _leaves(command):
                    used = await robin.slash(place, path, **{each["name"]: _value(each, parlour) for each in options})
                    _require_answer(used, refused)
                    paths.append(path)
                    if refused.get(used.id) is reason:
                        of_servers.append(path)
            assert of_servers == [path for path in paths if f"{path} ".startswith(_OF_SERVERS)]
            kinds, message = set[str](), await open_in(place, robin, "help")
            for custom_id in IDS.read_text(encoding="utf-8").split():
                if message.deleted:
                    message = await open_in(place, robin, "help")
                clicked = await robin.click(message, custom_id, forged=True)
                _require_answer(clicked, refused)
                if refused.get(clicked.id) is reason:
                    kinds.add(custom_id.partition(":")[0])
            assert kinds == KINDS_OF_SERVERS
    assert requests_in(sandbox, pair, yard) == []
    assert all(message.ephemeral_to == robin.id for place in (pair, yard) for message in place.messages)


def _note_refusals(parlour: Parlour) -> Mapping[int, RefusalReason | BaseException]:
    """Return the reasons of refusals, or other faults, by interaction."""
    app: Any = parlour.client.app
    noted, send = dict[int, RefusalReason | BaseException](), app.error_replies.send

    async def note_and_send(interaction: Any, fault: BaseException) -> None:
        cause = fault.original if isinstance(fault, CommandInvokeError) else fault
        noted[interaction.id] = cause.reason if isinstance(cause, Refusal) else cause
        await send(interaction, fault)

    app.error_replies.send = note_and_send
    return noted


def _require_answer(given: Interaction, refused: Mapping[int, RefusalReason | BaseException]) -> None:
    """Demand that an interaction was answered, and met no fault."""
    assert given.state is InteractionState.RESPONDED, given.name
    fault = refused.get(given.id)
    assert not isinstance(fault, BaseException), (given.name, fault)


def _leaves(node: Json, start: str = "") -> Iterator[tuple[str, list[Json]]]:
    """Yield the path of each command, and its options that are required."""
    path, options = f"{start}{node['name']}", node.get("options", ())
    branches = [each for each in options if each["type"] in BRANCH_TYPES]
    for branch in branches:
        yield from _leaves(branch, f"{path} ")
    if not branches:
        yield path, [each for each in options if each.get("required")]


def _value(option: Json, parlour: Parlour) -> object:
    """Return a value that Discord's client would send."""
    if option.get("choices"):
        return option["choices"][0]["value"]
    match option["type"]:
        case OptionType.INTEGER:
            return option.get("min_value", 1)
        case OptionType.BOOLEAN:
            return True
        case OptionType.USER:
            return parlour.wren
        case _:
            return "magpie" if option["name"] == "game" else "1" * max(1, option.get("min_length", 1))
