"""Forbidden actions, through the sandbox: each is answered and changes nothing."""

from dataclasses import replace

import pytest

from bot.sandbox.model.interactions import InteractionState
from bot.sandbox.model.messages import Message
from bot.tables import storage as table_storage
from bot.tables.host import Host
from tests.support.each_case import each_case
from tests.support.parlour import Parlour


@pytest.fixture
async def game(parlour: Parlour) -> Message:
    """The message of a game under way."""
    return await parlour.start_game(parlour.robin, parlour.wren)


@each_case(
    "forged",
    [
        "t:1:0:die9:0", "t:1:0:rest:0", "t:1:7:roll:0", "t:1:0:drop table:0",
        "t:999999:0:roll:0", "t:-1:0:roll:0", "t:1:0:roll", "l:1:1:join", "l:999999:1:join", "l:1:1:burn",
        "c:999999", "c:x", "g:poker", "g:", "x", ":", "t:" + "9" * 90, "📦" * 20,
        "t:1:0:roll:ffffffffffffffff",  # the last, because the player's click makes a move
    ],
)  # fmt: skip
async def test_a_forged_id_is_answered_and_changes_nothing(parlour: Parlour, game: Message, forged: str) -> None:
    table = await parlour.table()
    stranger = await parlour.jay.click(game, forged, forged=True)
    assert stranger.state is InteractionState.RESPONDED
    assert stranger.ephemeral
    assert stranger.text
    player = await (await parlour.mover()).click(game, forged, forged=True)
    assert player.state is InteractionState.RESPONDED
    after = await parlour.client.app.service(Host).service.table(table.id)
    assert after.state == table.state or forged.startswith("t:1:0:roll:")
    assert after.seats == table.seats


async def test_a_forged_draft_rolls_only_dice_that_exist(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    mover = await parlour.mover()
    await mover.click(message, "t:1:0:roll:ffffffffffffff00", forged=True)
    record = await parlour.db.read(table_storage.load, 1)
    assert record is not None
    (entry,) = record.entries
    assert set(map(int, entry.text.split()[1:])) <= {1, 2, 3, 4, 5}


async def test_mentions_and_markdown_in_names_stay_inert(parlour: Parlour) -> None:
    parlour.wren.user = replace(parlour.wren.user, name="@everyone **Wren** <@1>")
    message = await parlour.open_table(parlour.wren)
    assert "\\*\\*Wren" in message.text
    sent = [request.json for request in parlour.sandbox.requests if "/callback" in request.path]
    assert sent
    assert [(json or {})["data"]["allowed_mentions"] for json in sent] == [{"parse": []}] * len(sent)
