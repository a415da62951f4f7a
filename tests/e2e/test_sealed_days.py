"""Nothing of a daily bag or a daily puzzle reaches anyone before they have finished it, by whatever route."""

from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from bot.features.puzzles import storage as puzzle_storage
from bot.platform.places import Person as Player, start_of_day
from bot.rules.screen import EMPTY_DRAFT
from bot.rules.study import find_clicks
from bot.sandbox import Sandbox
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables.host import Host
from bot.tables.table import Table
from tests.e2e.test_daily_bag import NOON, TODAY, set_time
from tests.e2e.test_puzzles import FILES, open_puzzle, puzzle_of, set_day
from tests.support.daily_games import choose_move, finish_daily
from tests.support.each_case import each_case
from tests.support.parlour import Parlour, button_id, run_parlour

SUITS = ("☀", "🌙", "👑", "🛡", "sun", "moon", "crown", "arms", "shield")
REFUSED = "shown only to people who have finished it"


@pytest.fixture
async def parlour(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Parlour]:
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3") as running:
        await set_time(running, NOON)
        yield running


async def begin(parlour: Parlour, who: Person, channel: Channel) -> tuple[Table, Message]:
    """Begin today's bag, and return its table with the message in which its player sees it."""
    (panel,) = (await who.slash(channel, "daily")).replies
    await parlour.press(who, panel, "today's bag")

    def bags() -> list[Message]:
        return [each for each in who.visible_messages(channel) if "Look again" in [it.label for it in each.buttons]]

    await parlour.sandbox.until(bags)
    table = await parlour.client.app.service(Host).service.open_table_in(channel.id, who.id)
    assert table is not None
    await parlour.wait_until_settled()
    return table, bags()[-1]


async def finish(parlour: Parlour, who: Person, table: Table) -> Table:
    finished = await finish_daily(parlour.client.app.service(Host).service, table.id, Player(who.id, who.name))
    await parlour.wait_until_settled()
    return finished


def pieces_in(message: Message) -> list[str]:
    """Return what of a bag a message shows: its pictures, and the suits of dice, tiles and coins in its words."""
    told = " ".join((message.text, *(button.label or "" for button in message.buttons))).casefold()
    return [*(each.filename for each in message.attachments), *(suit for suit in SUITS if suit in told)]


async def test_a_bag_is_played_to_its_end_where_only_its_player_sees_it(parlour: Parlour) -> None:
    robin, wren, here = parlour.robin, parlour.wren, parlour.here
    table, bag = await begin(parlour, robin, here)
    assert pieces_in(bag)
    (public,) = wren.visible_messages(here)
    assert "**Robin** is playing" in public.text
    service = parlour.client.app.service(Host).service
    while (now := await service.table(table.id)).header.status.is_open:
        assert pieces_in(public) == []
        look = partial(now.package.words.build_screen, now.state, (), ("Robin",))
        for control in find_clicks(choose_move(now.state), look, EMPTY_DRAFT):
            await press_key(robin, bag, control.key)
            await parlour.wait_until_settled()
    assert pieces_in(public) == []
    assert now.outcome is not None
    score = now.package.results.score_kind.format_score(now.outcome.scores[0])
    assert f"**Robin** has finished: **{score}**" in public.text
    assert "🔥 Streak in this server: 1 day" in public.text
    # The result is for the player alone, and stays.
    await parlour.sandbox.until(lambda: bool(pieces_in(bag)))
    await parlour.wait_until_settled()
    assert pieces_in(bag)
    assert {"Share", "More …"} <= {button.label for button in bag.buttons}


def controls_of(message: Message) -> list[str]:
    ids = [button.custom_id or "" for button in message.buttons]
    return [each.removeprefix("w:") for each in ids if each.startswith("w:t:")]


async def press_key(who: Person, bag: Message, key: str) -> None:
    """Press the button with a key, or choose it in a menu."""
    buttons = [control for control in controls_of(bag) if control.split(":")[3] == key]
    if buttons:
        await who.click(bag, f"w:{buttons[0]}")
        return
    (menu,) = [select.custom_id for select in bag.selects if key in [option["value"] for option in select.options]]
    await who.select(bag, menu, [key])


async def ask(parlour: Parlour, who: Person, public: Message, table: Table, route: str) -> Interaction:
    if route.startswith("/"):
        command, _, chosen = route.removeprefix("/").partition(" table:")
        return await who.slash(parlour.here, command, **({"table": str(table.id)} if chosen else {}))
    return await who.click(public, route.format(id=table.id), forged=True)


async def answer_to(parlour: Parlour, who: Person, public: Message, table: Table, route: str) -> Message:
    """Return the message that somebody gets, which may come after their click has refreshed the table's."""
    seen = len(who.visible_messages(parlour.here))
    await ask(parlour, who, public, table, route)
    await parlour.sandbox.until(lambda: len(who.visible_messages(parlour.here)) > seen)
    return who.visible_messages(parlour.here)[-1]


ROUTES_AFTER_THE_END = (
    "b:{id}:0:open",
    "b:{id}:5:forward",
    "V:{id}",
    "r:{id}",
    "N:{id}",
    "u:{id}:0:r:{id}",
    "u:{id}:0:N:{id}",
    "/table replay",
    "/table replay table:",
    "/table review",
    "/table review table:",
    "/table share table:",
)


async def test_nobody_sees_a_finished_bag_before_they_have_finished_it(parlour: Parlour) -> None:
    robin, wren, here = parlour.robin, parlour.wren, parlour.here
    table, _bag = await begin(parlour, robin, here)
    await finish(parlour, robin, table)
    (public,) = wren.visible_messages(here)
    own, _bag = await begin(parlour, wren, parlour.elsewhere)
    for who in (wren, parlour.jay):
        for route in ROUTES_AFTER_THE_END:
            answer = await answer_to(parlour, who, public, table, route)
            assert REFUSED in answer.text, (route, answer.text)
            assert pieces_in(answer) == [], route
        assert pieces_in(public) == []
    sealed = await answer_to(parlour, wren, public, table, "v:{id}")
    assert "All rolls are sealed" in sealed.text
    assert pieces_in(sealed) == []

    await finish(parlour, wren, own)
    for route in ("b:{id}:0:open", "r:{id}"):
        assert pieces_in(await answer_to(parlour, wren, public, table, route)), route
    assert REFUSED not in (await answer_to(parlour, wren, public, table, "V:{id}")).text
    assert REFUSED in (await ask(parlour, parlour.jay, public, table, "r:{id}")).text


async def test_nobody_sees_a_bag_that_is_being_played(parlour: Parlour) -> None:
    wren, here = parlour.wren, parlour.here
    table, bag = await begin(parlour, parlour.robin, here)
    (public,) = wren.visible_messages(here)
    control = controls_of(bag)[0]
    routes = ["r:{id}", "N:{id}", "y:{id}", "w:y:{id}", control, f"w:{control}", "H:{id}:0", "Hs:{id}:0"]
    for route in (*routes, "b:{id}:0:open"):
        answer = await ask(parlour, wren, public, table, route)
        assert answer.ephemeral, route
        assert [pieces_in(each) for each in answer.replies] == [[]], route
    for route in ("/table show", "/table read", "/table news", "/table hint"):
        answer = await ask(parlour, wren, public, table, route)
        assert [pieces_in(each) for each in answer.replies] == [[]], route
    assert pieces_in(public) == []
    assert (await parlour.client.app.service(Host).service.table(table.id)).header.step == table.header.step


async def test_practice_is_as_secret_as_the_attempt(parlour: Parlour) -> None:
    robin, wren = parlour.robin, parlour.wren
    first, _bag = await begin(parlour, robin, parlour.here)
    await finish(parlour, robin, first)
    practice, bag = await begin(parlour, robin, parlour.elsewhere)
    assert practice.header.is_practice
    assert pieces_in(bag)
    await finish(parlour, robin, practice)
    public = wren.visible_messages(parlour.elsewhere)[-1]
    assert "practice" in public.text
    assert pieces_in(public) == []
    assert REFUSED in (await wren.click(public, f"V:{practice.id}", forged=True)).text


async def test_a_bag_is_open_to_everyone_once_its_seed_is_published(parlour: Parlour) -> None:
    wren, here = parlour.wren, parlour.here
    await set_time(parlour, start_of_day(TODAY + 1) - timedelta(minutes=5))
    late, _bag = await begin(parlour, parlour.jay, parlour.elsewhere)
    table, _bag = await begin(parlour, parlour.robin, here)
    await finish(parlour, parlour.robin, table)
    (public,) = wren.visible_messages(here)
    await set_time(parlour, start_of_day(TODAY + 1) + timedelta(minutes=5))
    assert REFUSED in (await ask(parlour, wren, public, table, "V:{id}")).text, "Jay still plays it"
    await finish(parlour, parlour.jay, late)
    await set_time(parlour, start_of_day(TODAY + 1) + timedelta(minutes=20))
    answer = await ask(parlour, wren, public, table, "b:{id}:0:open")
    assert pieces_in(answer.replies[0])


async def test_typed_moves_and_old_private_messages_show_the_bag_to_its_player_alone(parlour: Parlour) -> None:
    robin, here = parlour.robin, parlour.here
    table, bag = await begin(parlour, robin, here)
    (public,) = parlour.wren.visible_messages(here)
    before = bag.text
    typed = await robin.slash(here, "magic-bag roll", keep="none")
    assert "Done: " in typed.text
    await parlour.wait_until_settled()
    await parlour.sandbox.until(lambda: bag.text != before)
    assert pieces_in(bag)
    again = await parlour.press(robin, public, "My bag")
    assert pieces_in(again.replies[0])
    read = await robin.slash(here, "table read")
    assert pieces_in(read.replies[0])
    assert pieces_in(public) == []
    assert table.header.step < (await parlour.client.app.service(Host).service.table(table.id)).header.step


async def test_in_a_direct_message_the_bag_is_played_in_the_open(parlour: Parlour) -> None:
    robin = parlour.robin
    (panel,) = (await robin.slash(robin.direct_channel, "daily")).replies
    await parlour.press(robin, panel, "today's bag")
    await parlour.wait_until_settled()
    assert any(pieces_in(each) for each in robin.visible_messages(robin.direct_channel))


CYCLE = 365 * len(FILES.games())


@each_case("day", [0, 1, TODAY - CYCLE, TODAY + CYCLE, TODAY + 1])
async def test_the_daily_puzzle_is_answered_as_that_of_its_day_alone(parlour: Parlour, day: int) -> None:
    set_day(parlour, TODAY)
    game, puzzle = puzzle_of(TODAY)
    message = await open_puzzle(parlour.robin, parlour.here)
    await parlour.robin.click(message, f"P:{game}:{puzzle.key}:{day}:{puzzle.best}", forged=True)
    assert "`/puzzle` shows today's" in message.text
    assert await parlour.db.read(puzzle_storage.find_daily, parlour.robin.id, TODAY) is None
    assert await parlour.db.read(puzzle_storage.find_answered, parlour.robin.id, game) == {}


@each_case("day", [0, TODAY + 1])
async def test_tomorrows_puzzle_is_not_answered_today(parlour: Parlour, day: int) -> None:
    set_day(parlour, TODAY)
    game, puzzle = puzzle_of(TODAY + 1)
    message = await open_puzzle(parlour.robin, parlour.here)
    await parlour.robin.click(message, f"P:{game}:{puzzle.key}:{day}:{puzzle.best}", forged=True)
    assert "`/puzzle` shows today's" in message.text
    assert await parlour.db.read(puzzle_storage.find_answered, parlour.robin.id, game) == {}


async def test_how_many_solved_the_puzzle_is_told_after_the_own_answer(parlour: Parlour) -> None:
    robin, wren = parlour.robin, parlour.wren
    set_day(parlour, TODAY)
    message = await open_puzzle(robin, parlour.here)
    await robin.click(message, button_id(message, puzzle_of(TODAY)[1].best))
    asked = await open_puzzle(wren, parlour.here)
    assert "This server" not in [button.label for button in asked.buttons]
    refused = await wren.click(asked, f"D:board:{TODAY}", forged=True)
    assert "haven't answered this puzzle" in refused.text
    await wren.click(asked, button_id(asked, 0))
    await parlour.press(wren, asked, "This server")
    assert "people solved it today" in asked.text
