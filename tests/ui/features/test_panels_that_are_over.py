"""A private question or panel goes once it is about nothing any more."""

import pytest

from bot.features.invitations.messages import InvitationButton, InvitationId
from bot.features.reminders.handlers import Pings
from bot.features.tournaments.messages import TournamentButton, TournamentButtonId
from bot.features.tournaments.model import TournamentReason
from bot.platform.discord.ids import CustomId
from bot.platform.places import Person
from bot.tables.handlers.ids import CancelTableId, RemovePlayerId, SeatButton, SeatId
from bot.tables.refusals import HostReason
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.fakes import ROBIN, WREN, open_lobby, start_game
from tests.support.waiting import wait_until
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, make_click, make_command, make_menu_choice


async def end(service: TableService, table: Table) -> None:
    """Close a table as a moderator may."""
    await service.cancel(table.id, ROBIN, is_moderator=True)


@pytest.mark.parametrize("number", range(3))
async def test_a_question_about_a_table_that_is_over_is_replaced_by_words(adapter: Adapter, number: int) -> None:
    table = await start_game(adapter.service)
    await end(adapter.service, table)
    questions: list[tuple[Person, CustomId]] = [
        (WREN, SeatId(table.id, 0, SeatButton.RESIGN)),
        (WREN, InvitationId(table.id, WREN.id, InvitationButton.JOIN)),
        (ROBIN, CancelTableId(table.id)),
    ]
    click = await adapter.click(make_click(*questions[number], in_whisper=True))
    (answer,) = click.answers
    assert (answer.how, answer.view) == (AnswerMethod.EDIT, None)
    assert "view" in answer.sent
    assert click.text


async def test_the_menu_of_players_to_remove_is_replaced_once_the_game_has_started(adapter: Adapter) -> None:
    table = await open_lobby(adapter.service, ROBIN, WREN)
    await adapter.service.start(table.id, ROBIN, 1)
    menu = RemovePlayerId(table.id, table.header.revision)
    click = await adapter.click(make_menu_choice(ROBIN, menu, "1", in_whisper=True))
    assert [(answer.how, answer.view) for answer in click.answers] == [(AnswerMethod.EDIT, None)]
    assert click.refusal is HostReason.ALREADY_STARTED


@pytest.mark.parametrize("button", TournamentButton)
async def test_the_panel_of_a_tournament_that_was_deleted_is_replaced(
    adapter: Adapter, button: TournamentButton
) -> None:
    click = await adapter.click(make_click(ROBIN, TournamentButtonId(9, button), in_whisper=True))
    assert [(answer.how, answer.view) for answer in click.answers] == [(AnswerMethod.EDIT, None)]
    assert click.refusal is TournamentReason.UNKNOWN


async def test_a_refusal_at_a_public_message_leaves_it(adapter: Adapter) -> None:
    table = await start_game(adapter.service)
    await end(adapter.service, table)
    click = await adapter.click(make_click(WREN, SeatId(table.id, 0, SeatButton.RESIGN)))
    assert [answer.how for answer in click.answers] == [AnswerMethod.SEND]


async def test_the_ping_panel_of_a_table_is_deleted_at_its_end(adapter: Adapter) -> None:
    table = await start_game(adapter.service)
    command = make_command(ROBIN)
    await adapter.app.service(Pings).choose_here(command)  # type: ignore[arg-type]
    assert not command.deleted
    await end(adapter.service, table)
    await wait_until(lambda: command.deleted)
