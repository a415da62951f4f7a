"""How a table shows players who have left their seats."""

from dataclasses import replace

import pytest

from bot.platform.discord.content import MessageContent
from bot.platform.discord.ids import parse_id
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.control_entries import Resign
from bot.tables.handlers.ids import ControlId, SeatButton, SeatId
from bot.tables.handlers.seats import SeatCommands
from bot.tables.lobby import make_occupant
from bot.tables.model import Status
from bot.tables.refusals import HostReason
from bot.tables.shown.message import picture_maker_of, render_position
from bot.tables.shown.screen import screen_of
from bot.tables.table import Table, apply_control_entry
from bot.tools.contract.screen_checks import RANKING
from tests.support.each_case import each_case
from tests.support.fakes import JAY, LINNET, ROBIN, WREN, make_table, mover_of, roll, start_game
from tests.support.magpie_with_picture import MAGPIE_WITH_PICTURE
from tests.support.memory_database import MemoryDatabase
from tests.support.rendering import render_game
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, FakeInteraction, make_click, make_command
from tests.ui.table_clicks import offered_ids

PLAYING = make_table(status=Status.PLAYING)


def with_resignation(*seats: int, table: Table = PLAYING) -> Table:
    for seat in seats:
        table = apply_control_entry(table, seat, Resign())
    return table


def test_a_table_ended_by_resignations_marks_no_turn() -> None:
    scores = screen_of(PLAYING).fields[0].text
    assert "▶" in scores
    bold = f"**{PLAYING.seats[PLAYING.header.to_move or 0].name}"
    assert bold in scores
    over = "\n".join(field.text for field in screen_of(with_resignation(1, 2)).fields)
    assert "▰" in over or "▱" in over
    assert "▶" not in over
    assert bold not in over
    assert "▶" in screen_of(with_resignation(1)).fields[0].text


def ended_by_four(*resigned: int) -> Table:
    """A game of four that was played out after resignations."""
    four = tuple(make_occupant(person, at) for at, person in enumerate((ROBIN, WREN, JAY, LINNET), 1))
    table = with_resignation(*resigned, table=make_table(*four, status=Status.PLAYING))
    ended = replace(table.state, scores=(101, 120, 30, 40), trigger=0, mover=None)
    return replace(table, state=ended, header=replace(table.header, status=Status.FINISHED, to_move=None))


def picture_description(content: MessageContent) -> str:
    assert content.make_picture is not None
    return content.make_picture().description


def test_a_table_ended_by_resignations_shows_its_ranking_as_a_picture() -> None:
    playing = replace(PLAYING, package=MAGPIE_WITH_PICTURE)
    one_left, over = with_resignation(1, table=playing), with_resignation(1, 2, table=playing)
    assert "Robin" not in picture_description(render_game(one_left, frozenset()))
    for content in (render_game(over, frozenset()), render_position(over)):
        assert names_in_order(picture_description(content))[0] == "Robin"


def names_in_order(text: str) -> list[str]:
    return sorted((name for name in ("Robin", "Wren", "Jay") if name in text), key=text.index)


def test_a_table_ended_by_resignations_draws_no_hands() -> None:
    over = with_resignation(1, 2, table=replace(PLAYING, package=MAGPIE_WITH_PICTURE))
    assert picture_maker_of(PLAYING, MAGPIE_WITH_PICTURE.look.build_picture, 0) is not None
    assert picture_maker_of(over, MAGPIE_WITH_PICTURE.look.build_picture, 0) is None


@each_case(
    "scores, order",
    [((101, 120, 30), ["Robin", "Jay", "Wren"]), ((101, 30, 120), ["Jay", "Robin", "Wren"])],
)
def test_a_resigned_player_does_not_win_by_their_seats_points(scores: tuple[int, ...], order: list[str]) -> None:
    table = with_resignation(1, table=replace(PLAYING, package=MAGPIE_WITH_PICTURE))
    ended = replace(table.state, scores=scores, trigger=0, mover=None)
    table = replace(table, state=ended, header=replace(table.header, status=Status.FINISHED, to_move=None))
    content = render_game(table, frozenset())
    assert names_in_order(str(content.text_embed.title)) == order[:1]
    golden = [line for field in content.text_embed.fields for line in str(field.value).splitlines() if "🥇" in line]
    assert golden
    assert all(order[0] in line for line in golden)
    assert names_in_order(picture_description(content)) == order


def test_a_game_that_marks_no_turn_keeps_its_fields() -> None:
    table = replace(
        PLAYING, package=replace(PLAYING.package, words=replace(PLAYING.package.words, build_abandoned_fields=None))
    )
    own, shown = screen_of(table).fields, screen_of(with_resignation(1, 2, table=table)).fields
    assert "▶" in shown[0].text
    assert len(shown) == len(own) + 1, "the ranking follows"


def test_no_fields_with_the_games_own_ranking_are_kept() -> None:
    table = with_resignation(
        1,
        table=replace(
            PLAYING, package=replace(PLAYING.package, words=replace(PLAYING.package.words, build_abandoned_fields=None))
        ),
    )
    ended = replace(table.state, scores=(101, 120, 30), trigger=0, mover=None)
    table = replace(table, state=ended, header=replace(table.header, status=Status.FINISHED, to_move=None))
    assert len(screen_of(table).fields) == 1


def test_the_host_adds_no_more_than_games_leave_room_for() -> None:
    six = tuple(make_occupant(Person(at, "*" * 32), at) for at in range(1, 7))
    playing = make_table(*six, status=Status.PLAYING)
    ranking = render_game(with_resignation(*range(5), table=playing), frozenset()).text_embed.fields[-1]
    assert len(str(ranking.name)) + len(str(ranking.value)) <= RANKING


def test_the_longest_names_of_many_winners_fit_into_the_title() -> None:
    six = tuple(make_occupant(Person(at, "*" * 32), at) for at in range(1, 7))
    table = with_resignation(0, table=make_table(*six, status=Status.PLAYING))
    ended = replace(table.state, scores=(110, 101, 101, 101, 101, 101), trigger=0, mover=None)
    table = replace(table, state=ended, header=replace(table.header, status=Status.FINISHED, to_move=None))
    content = render_game(table, frozenset())
    assert "5" in str(content.text_embed.title)
    assert "*" not in str(content.text_embed.title)
    places = str(content.text_embed.fields[-1].value).splitlines()
    assert [line.split()[0] for line in places] == ["🥇"] * 5 + ["**6.**"]


class TestCommand:
    async def test_resigning_is_confirmed_by_a_second_click(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_game(adapter.service)
        asking = make_command(WREN)
        await adapter.app.service(SeatCommands).ask_to_resign(asking)  # type: ignore[arg-type]
        assert db.texts(table.id) == []
        (button,) = asking.buttons()
        assert parse_id(button) == SeatId(table.id, 0, SeatButton.RESIGN)
        for _ in range(2):
            click = await adapter.click(make_click(WREN, button, in_whisper=True))
            (answer,) = click.answers
            assert (answer.how, answer.view) == (AnswerMethod.EDIT, None)
        assert db.texts(table.id).count("!resign") == 1

    async def test_a_double_click_that_ends_the_game_is_answered_twice_alike(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service, ROBIN, WREN)
        resign = SeatId(table.id, 0, SeatButton.RESIGN)
        first, second = [await adapter.click(make_click(WREN, resign)) for _ in range(2)]
        assert [answer.content for answer in first.answers] == [answer.content for answer in second.answers]
        late = await adapter.click(make_click(ROBIN, SeatId(table.id, 0, SeatButton.RESIGN)))
        assert late.refusal is HostReason.TABLE_OVER

    async def test_a_confirmation_works_after_others_have_moved(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_game(adapter.service)
        await roll(adapter.service, table)
        await adapter.click(make_click(WREN, SeatId(table.id, 0, SeatButton.RESIGN)))
        assert db.texts(table.id)[1] == "!resign"


class TestSubstitute:
    async def silent(self, adapter: Adapter, db: MemoryDatabase) -> Table:
        """A table of Robin and Wren that has waited for Wren for two minutes."""
        table = await start_game(adapter.service, ROBIN, WREN)
        while mover_of(table) != WREN:
            table = await roll(adapter.service, table)
        adapter.clock.tick(120)
        return table

    async def test_a_substitute_waits_while_dice_are_picked(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await self.silent(adapter, db)
        await adapter.click(make_click(WREN, ControlId(table.id, table.header.step, "keep2", frozenset())))
        adapter.clock.tick(119)
        with pytest.raises(Refusal) as refused:
            await adapter.app.service(SeatCommands).substitute(make_command(ROBIN))  # type: ignore[arg-type]
        assert refused.value.reason is HostReason.NOT_ABSENT
        adapter.clock.tick(1)
        await adapter.app.service(SeatCommands).substitute(make_command(ROBIN))  # type: ignore[arg-type]
        assert db.texts(table.id)[-1] == "!substitute 1"

    async def test_a_substitute_does_not_wait_for_clicks_of_others(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await self.silent(adapter, db)
        await adapter.click(make_click(ROBIN, ControlId(table.id, table.header.step, "keep2", frozenset())))
        await adapter.app.service(SeatCommands).substitute(make_command(ROBIN))  # type: ignore[arg-type]
        assert db.texts(table.id)[-1] == "!substitute 1"

    async def test_the_first_of_two_who_ask_is_told_that_another_must_ask(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service, ROBIN, WREN, JAY)
        while mover_of(table) != ROBIN:
            table = await roll(adapter.service, table)
        adapter.clock.tick(120)
        command = make_command(WREN)
        await adapter.app.service(SeatCommands).substitute(command)  # type: ignore[arg-type]
        assert command.text
        assert not (await adapter.service.table(table.id)).header.awaits_computer

    async def test_only_the_player_gets_the_seat_back_by_a_click(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await self.silent(adapter, db)
        await adapter.wait_until_shown()
        await adapter.app.service(SeatCommands).substitute(make_command(ROBIN))  # type: ignore[arg-type]
        table = await adapter.service.table(table.id)
        back = SeatId(table.id, table.header.step, SeatButton.COME_BACK)
        for _ in range(2):  # the second click is late, and only refreshes
            click = await adapter.click(make_click(WREN, back, message_id=table.header.message_id))
            assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.EDIT, False)]
        assert db.texts(table.id)[-1] == "!back"
        now = await adapter.service.table(table.id)
        assert SeatButton.COME_BACK not in [getattr(each, "button", None) for each in offered_ids(adapter, now)]


class TestTheButtonOfAReminder:
    async def asked(self, adapter: Adapter, table: Table, *people: Person) -> list[FakeInteraction]:
        """Let people press the button in turn, as it was shown."""
        return [await adapter.click(self.press(table, person)) for person in people]

    def press(self, table: Table, person: Person) -> FakeInteraction:
        button = SeatId(table.id, table.header.step, SeatButton.SUBSTITUTE)
        return make_click(person, button, message_id=5001, mentioned=(mover_of(table).id,))

    async def silent(self, adapter: Adapter, *people: Person) -> Table:
        """A table that has waited for Wren for two minutes."""
        table = await start_game(adapter.service, *people)
        while mover_of(table) != WREN:
            table = await roll(adapter.service, table)
        adapter.clock.tick(120)
        return table

    async def test_the_button_of_a_reminder_seats_a_substitute_and_a_double_click_is_silent(
        self, adapter: Adapter
    ) -> None:
        table = await self.silent(adapter, ROBIN, WREN)
        first, second = await self.asked(adapter, table, ROBIN, ROBIN)
        assert "Wren" in first.text
        assert [answer.how for answer in second.answers] == [AnswerMethod.DEFER]
        assert (await adapter.service.table(table.id)).seat_status.substituted

    async def test_two_players_may_press_the_same_button(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await self.silent(adapter, LINNET, WREN, JAY, ROBIN)
        first, again, second = await self.asked(adapter, table, JAY, JAY, ROBIN)
        assert first.text
        assert again.refusal is HostReason.ALREADY_ASKED
        assert "Wren" in second.text
        assert [text for text in db.texts(table.id) if text.startswith("!")][:2] == ["!ask 1", "!substitute 1"]

    async def test_an_outdated_reminder_button_does_nothing(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await self.silent(adapter, ROBIN, WREN)
        await roll(adapter.service, table)
        texts = db.texts(table.id)
        (click,) = await self.asked(adapter, table, ROBIN)
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER]
        assert db.texts(table.id) == texts

    async def test_a_button_of_an_earlier_reminder_affects_no_other_player(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await self.silent(adapter, JAY, WREN, ROBIN)
        later = await roll(adapter.service, table)
        assert mover_of(later) == ROBIN
        adapter.clock.tick(120)
        texts = db.texts(table.id)
        (click,) = await self.asked(adapter, table, JAY)
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER]
        assert db.texts(table.id) == texts

    async def test_an_outdated_reminder_button_does_nothing_even_if_noticed_late(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        table = await self.silent(adapter, ROBIN, WREN)
        await roll(adapter.service, table)
        click = self.press(table, ROBIN)
        await click.acknowledge()
        await adapter.click(click)
        assert [answer.how for answer in click.answers] == [AnswerMethod.DEFER]
