"""Finished games in leaderboards, profiles and histories."""

import re
from dataclasses import replace

from bot.platform.places import Location, Person
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person as SandboxPerson
from bot.tables.host import Host
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support import finished_games
from tests.support.apps import shared_app
from tests.support.games import load_games_once
from tests.support.parlour import ROLL, Parlour, is_played

OTHER_SERVER = 1100000000000000999


async def play_to_end(parlour: Parlour, *players: SandboxPerson) -> Table:
    """Let people play a short game in the channel by the buttons."""
    message = await parlour.start_game(*players, target=50)
    table_id = (await parlour.table()).id
    while True:
        await parlour.sandbox.until(lambda: _is_over(message) or _has_roll_button(message))
        table = await parlour.client.app.service(Host).service.table(table_id)
        if table.mover is None:
            break
        await parlour.press(parlour.sandbox.person(table.mover.name), message, ROLL)
    await parlour.wait_until_settled()
    await parlour.client.app.service(Host).service.flush()
    return await parlour.client.app.service(Host).service.table(table_id)


def _is_over(message: Message) -> bool:
    return any(button.label == "Play again" for button in message.buttons)


def _has_roll_button(message: Message) -> bool:
    return is_played(message)


async def store_finished_table(parlour: Parlour, at: Location, *people: SandboxPerson, computers: int = 0) -> Table:
    """Leave a finished table behind, as another process would."""
    quiet = TableService(parlour.db, load_games_once())
    quiet.hooks = shared_app().tables.hooks
    return await finished_games.play_to_end(
        quiet, at, *(Person(who.id, who.name) for who in people), computers=computers
    )


def make_place(parlour: Parlour, channel_id: int) -> Location:
    return Location(parlour.sandbox.world.server.id, channel_id)


def ranked_names(text: str) -> list[str]:
    return re.findall(r"^(?:🥇|🥈|🥉|\*\*\d+\.\*\*) \*\*(\w+)\*\*", text, re.MULTILINE)


async def test_a_server_shows_only_its_own_results(parlour: Parlour) -> None:
    elsewhere = Location(OTHER_SERVER, 7)
    robin, wren = parlour.robin, parlour.wren
    wren.user = replace(wren.user, name="Wren of old")
    await store_finished_table(parlour, elsewhere, robin, wren)
    await store_finished_table(parlour, elsewhere, wren, computers=1)
    wren.user = replace(wren.user, name="Wren")
    await store_finished_table(parlour, Location(None, 8), robin, computers=1)

    asked = [
        await robin.slash(parlour.here, "leaderboard", game="magpie"),
        await robin.slash(parlour.here, "profile"),
        await robin.slash(parlour.here, "profile", member=wren),
        await robin.slash(parlour.here, "history"),
    ]
    boards, histories = asked[0].replies[0], asked[3].replies[0]
    forged = ["s:magpie:people:2", "s:magpie:computers:1", "s:magpie:alone:1"]
    for message, ids in ((boards, forged), (histories, ["h:server:1", "h:mine:1", "h:here:1"])):
        for custom_id in ids:
            await robin.click(message, custom_id, forged=True)
            assert "wins:" not in message.text
            assert "[Magpie]" not in message.text
    for answer in asked:
        assert "wins:" not in answer.text
        assert "[Magpie]" not in answer.text
        assert "of old" not in answer.text

    await store_finished_table(parlour, make_place(parlour, parlour.here.id), robin, wren)
    board = await robin.slash(parlour.here, "leaderboard", game="magpie")
    assert sorted(ranked_names(board.text)) == ["Robin", "Wren"]
    assert board.text.count("wins:") == 2


async def test_the_end_of_a_table_names_the_badges_and_the_command_shows_them(parlour: Parlour) -> None:
    await play_to_end(parlour, parlour.robin, parlour.wren)
    (message,) = parlour.robin.visible_messages(parlour.here)
    assert "🏅" in message.text
    assert "First Game" in message.text
    table_id = 1
    awarded = (await parlour.client.app.service(Host).service.reload(table_id)).awards
    own = {each.badge for each in awarded if each.user_id == parlour.wren.id}
    assert "overall/first_game" in own

    mine = await parlour.wren.slash(parlour.elsewhere, "badges")
    assert mine.ephemeral
    assert f"Wren · badges: {len(own)} of 30" in mine.text
    assert (
        f"[First Game](https://discord.com/channels/{parlour.sandbox.world.server.id}/{parlour.here.id}/" in mine.text
    )
    theirs = await parlour.robin.slash(parlour.elsewhere, "badges", member=parlour.wren)
    assert f"Wren · badges earned here: {len(own)} of 30" in theirs.text
    assert "discord.com" not in theirs.text

    profile = await parlour.robin.slash(parlour.here, "profile", member=parlour.wren)
    assert f"🏅 Badges: **{len(own)}** of 30 · newest: " in profile.text

    # A second table awards nothing again.
    again = await play_to_end(parlour, parlour.robin, parlour.wren)
    assert not {each.badge for each in again.awards if each.user_id == parlour.wren.id} & own
