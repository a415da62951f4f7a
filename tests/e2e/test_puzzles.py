"""Puzzles: the one of the day with its streaks, and those of earlier days to practise with."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.features.puzzles import storage as puzzle_storage
from bot.features.puzzles.model import DailyAnswer
from bot.platform.clock import utc_now
from bot.platform.content import PuzzleFiles
from bot.platform.observability.metrics import Ending
from bot.platform.places import Day, day_of
from bot.rules.puzzle import Puzzle
from bot.sandbox import Sandbox
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables.host import Host
from tests.support.fakes import FakeClockAhead
from tests.support.parlour import Parlour, button_id, run_parlour

NOON = datetime(2027, 3, 1, 12, tzinfo=UTC)
TODAY = day_of(NOON)
FILES = PuzzleFiles()


def set_day(parlour: Parlour, day: Day) -> None:
    parlour.client.app.service(Host).service.clock = FakeClockAhead(NOON + timedelta(days=day - TODAY) - utc_now())


def puzzle_of(day: Day) -> tuple[str, Puzzle]:
    """Return the game and the puzzle of a day as docs/puzzles.md tells to find it."""
    games = FILES.games()
    puzzles = FILES.load(games[day % len(games)]).puzzles
    return games[day % len(games)], puzzles[day // len(games) % len(puzzles)]


async def open_puzzle(who: Person, channel: Channel, **options: object) -> Message:
    answer = await who.slash(channel, "puzzle", **options)
    assert answer.ephemeral, answer.text
    return answer.replies[0]


async def answer_daily(
    parlour: Parlour, who: Person, day: Day, *, right: bool, channel: Channel | None = None
) -> Message:
    set_day(parlour, day)
    message = await open_puzzle(who, channel or parlour.here)
    game, puzzle = puzzle_of(day)
    choice = puzzle.best if right else puzzle.ranking[1]
    await who.click(message, f"P:{game}:{puzzle.key}:{day}:{choice}")
    return message


async def test_the_daily_puzzle_is_answered_at_once_with_values(parlour: Parlour) -> None:
    await answer_daily(parlour, parlour.robin, TODAY - 1, right=True)
    set_day(parlour, TODAY)
    game, puzzle = puzzle_of(TODAY)
    message = await open_puzzle(parlour.robin, parlour.here)
    title = parlour.client.app.service(Host).service.games[game].game.info.title
    assert message.embeds[0]["title"] == f"Daily puzzle · {title}"
    assert "Which move is best?" in message.text
    assert puzzle.key in message.text
    assert len(message.attachments) == 1
    choices = [button for button in message.buttons if (button.custom_id or "").startswith("P:")]
    assert len(choices) == len(puzzle.offered)

    await parlour.robin.click(message, button_id(message, puzzle.best))
    assert "✅ **Right!**" in message.text
    assert "\n💡 " in message.text
    assert "🔥 Your streak: 2 days, longest 2" in message.text
    assert f"The next daily puzzle, {puzzle_of(TODAY + 1)[1].key}, comes " in message.text
    assert not any((button.custom_id or "").startswith("P:") for button in message.buttons)
    assert len(message.attachments) == 1
    assert not parlour.wren.visible_messages(parlour.here)


async def test_everyone_reads_the_players_of_a_puzzle_in_their_language(parlour: Parlour) -> None:
    set_day(parlour, TODAY)
    names = {"en": "Player 1", "de": "Person 1"}
    for person, code in ((parlour.robin, "en"), (parlour.wren, "de")):
        parlour.sandbox.world.locales[person.id] = code
        message = await open_puzzle(person, parlour.here)
        (picture,) = message.attachments
        read = f"{message.text} {picture.description}"
        assert [each for each, name in names.items() if name in read] == [code]


async def test_a_result_is_shared_once_without_giving_anything_away(parlour: Parlour) -> None:
    robin = parlour.robin
    await answer_daily(parlour, robin, TODAY - 1, right=True)
    message = await answer_daily(parlour, robin, TODAY, right=True)
    await parlour.press(robin, message, "Share result")
    await parlour.sandbox.until(lambda: len(parlour.wren.visible_messages(parlour.here)) == 1)
    (shared,) = parlour.wren.visible_messages(parlour.here)
    assert "🧩 **Robin** solved the daily puzzle" in shared.text
    assert "🔥 2 days" in shared.text
    assert not shared.buttons
    again = await parlour.press(robin, message, "Share result")
    assert str(shared.id) in again.text
    counted = parlour.db.metrics.export_text(NOON, None).decode()
    for ending, count in ((Ending.FINISHED, 2), (Ending.SHARED, 1)):
        assert f'parlour_games_total{{ending="{ending}",game="puzzle"}} {count}.0' in counted
    forged = await parlour.wren.click(shared, f"D:share:{TODAY}", forged=True)
    assert "haven't answered this puzzle" in forged.text


async def test_who_answered_a_puzzle_that_an_upgrade_replaced_is_told_so_and_goes_on(parlour: Parlour) -> None:
    robin = parlour.robin
    set_day(parlour, TODAY)
    game, _ = puzzle_of(TODAY)
    await parlour.db.write(
        puzzle_storage.answer_daily,
        DailyAnswer(robin.id, TODAY, game, "00000000", 2, is_right=True, guild_id=None, name="Robin", answered_at=NOON),
    )
    message = await open_puzzle(robin, parlour.here)
    assert "✅ You've solved today's puzzle." in message.text
    await parlour.press(robin, message, "Share result")
    await parlour.sandbox.until(lambda: len(parlour.wren.visible_messages(parlour.here)) == 1)
    (shared,) = parlour.wren.visible_messages(parlour.here)
    assert "🧩 **Robin** solved the daily puzzle" in shared.text
    await parlour.press(robin, message, "Next puzzle")
    await parlour.sandbox.until(lambda: "Which move is best?" in message.text)


async def test_people_practise_with_earlier_puzzles_and_old_buttons_work(sandbox: Sandbox, tmp_path: Path) -> None:
    file = tmp_path / "parlour.sqlite3"
    async with run_parlour(sandbox, file) as before:
        set_day(before, TODAY)
        message = await open_puzzle(before.robin, before.here, game="The Magic Bag")
        assert message.embeds[0]["title"] == "Puzzle · The Magic Bag"
        first = button_id(message, 0)
    async with run_parlour(sandbox, file) as after:
        set_day(after, TODAY)
        await after.robin.click(message, first)
        assert "The Magic Bag · solved at the first try: " in message.text
        assert " of 1 · puzzles in all: " in message.text
        await after.press(after.robin, message, "Next puzzle")
        await sandbox.until(lambda: "Which move is best?" in message.text)
        second = button_id(message, 0)
        assert second.split(":")[2] != first.split(":")[2]
        await after.robin.click(message, second)
        assert " of 2 · puzzles in all: " in message.text
        fresh = await open_puzzle(after.robin, after.here, game="magic-bag")
        assert button_id(fresh, 0).split(":")[2] not in (first.split(":")[2], second.split(":")[2])
