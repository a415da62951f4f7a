"""Nothing of a challenge or a daily puzzle reaches anyone before they have finished theirs, by whatever route."""

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest

from bot.features.challenges.ids import ChallengeButton, OthersMenuId
from bot.features.puzzles import storage as puzzle_storage
from bot.games.magpie.words import SQUARES
from bot.platform.places import Person as Player
from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables.kinds import Edition
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.e2e.test_challenges import NOON, THIS_WEEK, TODAY, begin, button_of, play, set_time
from tests.e2e.test_puzzles import FILES, open_puzzle, puzzle_of, set_day
from tests.support.challenge_games import finish_challenge
from tests.support.each_case import each_case
from tests.support.parlour import Parlour, button_id, run_parlour

DAY = TODAY.day
ROBIN: Final = "Robin"


@pytest.fixture
async def parlour(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Parlour]:
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3") as running:
        await set_time(running, NOON)
        yield running


COMMANDS: Final[tuple[tuple[str, Mapping[str, str]], ...]] = (
    ("table show", {}),
    ("table read", {}),
    ("table news", {}),
    ("table hint", {}),
    ("table verify", {}),
    ("table replay", {}),
    ("table review", {}),
    ("table share", {}),
    ("history", {}),
    ("leaderboard", {"game": "magpie"}),
    ("leaderboard", {"game": "magic_bag"}),
    ("profile", {"member": ROBIN}),
    ("versus", {"member": ROBIN}),
    ("badges", {"member": ROBIN}),
    ("mytables", {}),
    ("season", {}),
    ("magpie roll", {"dice": "1"}),
    ("magic-bag roll", {}),
    ("daily", {}),
)
OF_A_TABLE = (("table replay", "table"), ("table review", "table"), ("table share", "table"))
BUTTONS = (
    *("b:{id}:0:open", "b:{id}:5:forward", "b:{id}:0:last", "V:{id}", "v:{id}", "A:{id}", "a:{id}", "k:{id}"),
    *("r:{id}", "N:{id}", "y:{id}", "w:y:{id}", "M:{id}", "MV:{id}", "H:{id}:0", "Hs:{id}:0", "c:{id}", "j:{id}"),
    *(
        "u:{id}:0:r:{id}",
        "u:{id}:0:N:{id}",
        "u:{id}:0:y:{id}",
        "w:t:{id}:0:roll:0",
        "t:{id}:0:roll:0",
        "privacy:export",
    ),
)


async def ask_everywhere(parlour: Parlour, who: Person, message: Message, table: Table, edition: Edition) -> None:
    """Take every route on which something of somebody's table could be seen."""
    for command, options in COMMANDS:
        chosen = {name: parlour.robin.id if value == ROBIN else value for name, value in options.items()}
        await who.slash(parlour.here, command, **chosen)
    for command, option in OF_A_TABLE:
        await who.slash(parlour.here, command, **{option: str(table.id)})
    own = [who.click(message, route.format(id=table.id), forged=True) for route in BUTTONS]
    boards = (ChallengeButton.SERVER, ChallengeButton.EVERYWHERE, ChallengeButton.CONSENT, ChallengeButton.SEEDS)
    own += [who.click(message, button_of(button, edition), forged=True) for button in boards]
    for asking in own:
        await asking
    await ask_for_game(who, message, table, edition)
    await parlour.wait_until_settled()


async def ask_for_game(who: Person, message: Message, table: Table, edition: Edition) -> Interaction:
    """Choose somebody's game in the menu of a board."""
    menu = str(OthersMenuId(edition.cadence, edition.day))
    return await who.select(message, menu, [str(table.id)], forged=True)


def shows_replay(answer: Interaction, table: Table) -> bool:
    ids = [button.custom_id or "" for reply in answer.replies for button in reply.buttons]
    return any(custom_id.startswith(f"b:{table.id}:") for custom_id in ids)


def told_in(parlour: Parlour, who: Person, since: Message) -> Iterator[str]:
    """Yield everything that somebody could read anywhere since a message, files included."""
    for channel in (parlour.here, parlour.elsewhere, who.direct_channel):
        for message in channel.messages:
            if message.id >= since.id and message.ephemeral_to in (None, who.id):
                yield message.text
                yield from (each.filename for each in message.attachments if each.filename.endswith(".png"))
                yield from (each.content.decode(errors="replace") for each in message.attachments)


def secrets_of(table: Table) -> re.Pattern[str]:
    """Return the pattern of what would tell something of a finished table: its score, its seed, and its summary."""
    assert table.outcome is not None
    return re.compile(rf"(?<!\d){table.outcome.scores[0]} point|{table.header.seed.hex()}|[{SQUARES}🪙]")


@each_case("edition", [TODAY, THIS_WEEK])
async def test_nobody_sees_anything_of_an_edition_before_they_have_finished_it(
    sandbox: Sandbox, tmp_path: Path, edition: Edition
) -> None:
    async with run_parlour(sandbox, tmp_path / f"{edition.cadence}.sqlite3") as parlour:
        await set_time(parlour, NOON)
        await see_nothing_before_the_own_end(parlour, edition)


async def see_nothing_before_the_own_end(parlour: Parlour, edition: Edition) -> None:
    robin, wren, jay = parlour.robin, parlour.wren, parlour.jay
    other = TODAY if edition == THIS_WEEK else THIS_WEEK
    table, _message = await play(parlour, robin, parlour.here, edition)
    # A message on which anyone can forge clicks.
    (message,) = (await parlour.linnet.slash(parlour.elsewhere, "magpie new")).replies
    for who in (wren, jay):
        # One of them has begun it, the other one has begun another challenge.
        begun = edition if who is wren else other
        await begin(parlour, who, parlour.here, begun)
        await ask_everywhere(parlour, who, message, table, edition)
        told = list(told_in(parlour, who, message))
        assert len(told) > len(COMMANDS)
        assert not [text for text in told if secrets_of(table).search(text)]

    # With their own result, they see it all but the seed.
    own, _message = await begin(parlour, wren, parlour.here, edition)
    await finish_challenge(parlour.client.app.service(TableService), own.id, Player(wren.id, "Wren"))
    assert shows_replay(await ask_for_game(wren, message, table, edition), table)
    board = await wren.click(message, button_of(ChallengeButton.SERVER, edition), forged=True)
    assert "Robin" in board.text
    assert table.header.seed.hex() not in "".join(told_in(parlour, wren, message))
    assert not shows_replay(await ask_for_game(jay, message, table, edition), table)

    # Without one, they see it once the edition is over.
    await set_time(parlour, edition.ends_at + timedelta(hours=1))
    assert shows_replay(await ask_for_game(jay, message, table, edition), table)


CYCLE = 365 * len(FILES.games())


@each_case("day", [0, 1, DAY - CYCLE, DAY + CYCLE, DAY + 1])
async def test_the_daily_puzzle_is_answered_as_that_of_its_day_alone(parlour: Parlour, day: int) -> None:
    set_day(parlour, DAY)
    game, puzzle = puzzle_of(DAY)
    message = await open_puzzle(parlour.robin, parlour.here)
    await parlour.robin.click(message, f"P:{game}:{puzzle.key}:{day}:{puzzle.best}", forged=True)
    assert "`/puzzle` shows today's" in message.text
    assert await parlour.db.read(puzzle_storage.find_daily, parlour.robin.id, DAY) is None
    assert await parlour.db.read(puzzle_storage.find_answered, parlour.robin.id, game) == {}


async def test_how_many_solved_the_puzzle_is_told_after_the_own_answer(parlour: Parlour) -> None:
    robin, wren = parlour.robin, parlour.wren
    set_day(parlour, DAY)
    message = await open_puzzle(robin, parlour.here)
    await robin.click(message, button_id(message, puzzle_of(DAY)[1].best))
    asked = await open_puzzle(wren, parlour.here)
    assert "This server" not in [button.label for button in asked.buttons]
    refused = await wren.click(asked, f"D:board:{DAY}", forged=True)
    assert "haven't answered this puzzle" in refused.text
    await wren.click(asked, button_id(asked, 0))
    await parlour.press(wren, asked, "This server")
    assert "people solved it today" in asked.text
