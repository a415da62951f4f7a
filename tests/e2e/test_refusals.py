"""Forbidden actions, through the sandbox: each is answered and changes nothing."""

import asyncio
from dataclasses import replace

import pytest

from bot.sandbox.model.interactions import InteractionState
from bot.sandbox.model.messages import Message
from bot.tables import storage as table_storage
from bot.tables.model import Status
from tests.support.each_case import each_case
from tests.support.parlour import Parlour, button_id


async def count_steps(parlour: Parlour) -> int:
    return (await parlour.table()).header.step


async def test_a_click_out_of_turn_names_the_player_to_move(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    mover = await parlour.mover()
    other = parlour.wren if mover is parlour.robin else parlour.robin
    for label in ("Roll all five", "⚀⚁⚂⚃⚄⚅"[(await parlour.table()).state.faces[0] - 1]):
        answer = await parlour.press(other, message, label)
        assert answer.ephemeral
        assert f"It was {mover.name}'s turn" in answer.text
    assert await count_steps(parlour) == 0


async def test_a_spectator_can_only_watch(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    answer = await parlour.press(parlour.jay, message, "Roll all five")
    assert answer.ephemeral
    assert "no seat" in answer.text
    answer = await parlour.jay.slash(parlour.here, "magpie roll", dice="all")
    assert answer.ephemeral
    assert "no seat" in answer.text
    assert await count_steps(parlour) == 0


async def test_a_stale_click_refreshes_silently(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    mover = await parlour.mover()
    old = button_id(message, "Roll all five")
    await mover.click(message, old)
    assert await count_steps(parlour) == 1
    answer = await mover.click(message, old, forged=True)
    assert answer.state is InteractionState.RESPONDED
    assert not answer.replies
    assert await count_steps(parlour) == 1


async def test_a_double_click_makes_one_move_without_an_error(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    mover = await parlour.mover()
    roll = button_id(message, "Roll all five")
    first, second = await asyncio.gather(mover.click(message, roll), mover.click(message, roll))
    assert first.state is second.state is InteractionState.RESPONDED
    assert not first.replies
    assert not second.replies
    assert await count_steps(parlour) == 1


async def test_a_double_click_on_the_last_roll_causes_no_error(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    table = await parlour.table()
    roll, mover = "", parlour.robin
    while (table := await parlour.client.host.service.table(table.id)).header.status is Status.PLAYING:
        mover = await parlour.mover()
        roll = button_id(message, "Roll all five")
        await mover.click(message, roll)
    answer = await mover.click(message, roll, forged=True)
    assert answer.state is InteractionState.RESPONDED
    assert not answer.replies


@pytest.mark.parametrize("label", ["Join", "Start", "Add computer", "Leave"])
async def test_a_double_click_in_the_lobby_causes_no_error(parlour: Parlour, label: str) -> None:
    message = await parlour.open_table(parlour.robin)
    if label in ("Start", "Leave"):
        await parlour.press(parlour.wren, message, "Join")
    who = parlour.robin if label in ("Start", "Add computer") else parlour.wren
    button = button_id(message, label)
    first, second = await asyncio.gather(who.click(message, button), who.click(message, button))
    assert first.state is second.state is InteractionState.RESPONDED
    assert not first.replies
    assert not second.replies
    seats = {"Join": 2, "Start": 2, "Add computer": 2, "Leave": 1}[label]
    assert len((await parlour.table()).seats) == seats


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
    after = await parlour.client.host.service.table(table.id)
    assert after.state == table.state or forged.startswith("t:1:0:roll:")
    assert after.seats == table.seats


async def test_a_forged_draft_rolls_only_dice_that_exist(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    mover = await parlour.mover()
    await mover.click(message, "t:1:0:roll:ffffffffffffff00", forged=True)
    record = await parlour.db.read(table_storage.load, 1)
    assert record is not None
    assert [entry.text for entry in record.entries] == ["roll 1 2 3 4 5"]


async def test_a_table_can_only_be_used_in_its_channel(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    away = await parlour.jay.slash(parlour.elsewhere, "magpie new")
    roll = button_id(message, "Roll all five")
    answer = await (await parlour.mover()).click(away.replies[0], roll, forged=True)
    assert answer.ephemeral
    assert "no longer exists" in answer.text
    assert await count_steps(parlour) == 0


async def test_a_channel_holds_one_table(parlour: Parlour) -> None:
    message = await parlour.open_table(parlour.robin)
    answer = await parlour.wren.slash(parlour.here, "magpie new")
    assert answer.ephemeral
    assert "Magpie is waiting for players in this channel" in answer.text
    assert "Press *Join*" in answer.text
    assert str(message.id) in answer.text


async def test_a_running_game_does_not_offer_joining(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    for person, sentence in ((parlour.jay, "in this channel: "), (parlour.wren, "You are playing Magpie")):
        answer = await person.slash(parlour.here, "change new")
        assert sentence in answer.text
        assert "Join" not in answer.text
        assert str(message.id) in answer.text


async def test_two_people_open_a_table_at_once_and_one_gets_it(parlour: Parlour) -> None:
    answers = await asyncio.gather(
        parlour.robin.slash(parlour.here, "magpie new"), parlour.wren.slash(parlour.here, "magpie new")
    )
    assert sorted(answer.ephemeral for answer in answers) == [False, True]
    assert len(parlour.jay.visible_messages(parlour.here)) == 1


@pytest.mark.usefixtures("game")
@each_case(
    "dice, words",
    [
        ("6", "no die 6"), ("0", "no die 0"), ("1 1", "twice. Name each"), ("seven", "not a move"),
        ("", "not a move"), ("٣", "not a move"), ("1 -2", "not a move"), ("1,,", None),
    ],
)  # fmt: skip
async def test_nonsense_dice_are_explained(parlour: Parlour, dice: str, words: str | None) -> None:
    mover = await parlour.mover()
    answer = await mover.slash(parlour.here, "magpie roll", dice=dice or " ")
    assert answer.ephemeral
    if words is None:
        assert await count_steps(parlour) == 1
    else:
        assert words in answer.text
        assert await count_steps(parlour) == 0


async def test_commands_without_a_table_say_what_to_do(parlour: Parlour) -> None:
    for command, options in (("table show", {}), ("table cancel", {}), ("magpie roll", {"dice": "1"})):
        answer = await parlour.robin.slash(parlour.here, command, **options)
        assert answer.ephemeral
        assert "no open table" in answer.text


async def test_rolling_in_the_lobby_says_who_starts(parlour: Parlour) -> None:
    await parlour.open_table(parlour.robin)
    answer = await parlour.robin.slash(parlour.here, "magpie roll", dice="1")
    assert answer.ephemeral
    assert "Robin can start it" in answer.text


async def test_only_the_opener_starts_and_adds_computers(parlour: Parlour) -> None:
    message = await parlour.open_table(parlour.robin)
    await parlour.press(parlour.wren, message, "Join")
    for label in ("Start", "Add computer"):
        answer = await parlour.press(parlour.wren, message, label)
        assert answer.ephemeral
        assert "Only Robin" in answer.text
    assert (await parlour.table()).header.status is Status.LOBBY


async def test_a_full_table_cannot_be_joined(parlour: Parlour) -> None:
    message = await parlour.open_table(parlour.robin, computers=5)
    assert not any(button.label in ("Join", "Add computer") for button in message.buttons)
    answer = await parlour.wren.click(message, "l:1:1:join", forged=True)
    assert answer.ephemeral
    assert "The seats at this table are taken or kept for others." in answer.text


async def test_only_the_opener_or_a_moderator_cancels(parlour: Parlour) -> None:
    message = await parlour.open_table(parlour.wren)
    answer = await parlour.jay.slash(parlour.here, "table cancel")
    assert answer.ephemeral
    assert "Only Wren" in answer.text
    answer = await parlour.robin.slash(parlour.here, "table cancel")
    assert "closed" in answer.text
    await parlour.sandbox.until(lambda: "cancelled" in message.text)


async def test_a_game_is_cancelled_only_after_a_second_click(parlour: Parlour) -> None:
    message = await parlour.start_game(parlour.wren, parlour.jay)
    asked = await parlour.wren.slash(parlour.here, "table cancel")
    assert asked.ephemeral
    assert (await parlour.table()).header.status is Status.PLAYING
    confirm = button_id(asked.replies[0], "End the game")
    forged = await parlour.jay.click(message, confirm, forged=True)
    assert "Only Wren" in forged.text
    await parlour.wren.click(asked.replies[0], confirm)
    assert asked.replies[0].buttons == []
    await parlour.sandbox.until(lambda: "cancelled" in message.text)
    assert [button.label for button in message.buttons] == ["Check fairness"]


async def test_mentions_and_markdown_in_names_stay_inert(parlour: Parlour) -> None:
    parlour.wren.user = replace(parlour.wren.user, name="@everyone **Wren** <@1>")
    message = await parlour.open_table(parlour.wren)
    assert "\\*\\*Wren" in message.text
    sent = [request.json for request in parlour.sandbox.requests if "/callback" in request.path]
    assert sent
    assert [(json or {})["data"]["allowed_mentions"] for json in sent] == [{"parse": []}] * len(sent)
