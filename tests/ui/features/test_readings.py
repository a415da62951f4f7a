"""Reading a table out: everything in plain words, in messages that fit."""

import re
from dataclasses import replace

import pytest

from bot.features.reminders.messages import PingPanelId
from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import READING_ALOUD
from bot.platform.discord.ids import parse_id
from bot.tables.control_entries import ComeBack, Resign, Substitute
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.ids import (
    ControlId,
    LobbyButton,
    LobbyId,
    ReadAloudId,
    ReadTableId,
    SeatButton,
    SeatId,
    Switch,
)
from bot.tables.handlers.readings import PAGE_SIZE, Readings, split_pages
from bot.tables.model import Status
from bot.tables.registry import GameRegistry
from bot.tables.table import Table, apply_control_entry
from tests.support.chosen_settings import chosen
from tests.support.each_case import each_case
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import HERE, ROBIN, STRANGER, WREN, make_table, mover_of, open_lobby, start_game
from tests.support.magpie_series import MAGPIE_SERIES, options_for
from tests.support.magpie_with_picture import MAGPIE_WITH_PICTURE, PICTURE_REGISTRY
from tests.support.memory_database import MemoryDatabase
from tests.support.waiting import Gate, wait_until
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, make_click, make_command

SCORES = "The scores are Robin 0, Wren 0, Jay 0."


@pytest.fixture
def games() -> GameRegistry:
    return PICTURE_REGISTRY


def make_playing_table(**more: object) -> Table:
    return make_table(status=Status.PLAYING, package=replace(MAGPIE_WITH_PICTURE, **more))  # type: ignore[arg-type]


def step_told(text: str) -> int:
    """Return the step in the line that tells of which moment a reading is."""
    (step,) = re.findall(r"(\d+)\D*<t:\d+:R>", text.splitlines()[-1])
    return int(step)


class TestReadingText:
    def test_absent_players_are_named_after_it(self, adapter: Adapter) -> None:
        mover = make_playing_table().header.to_move
        absent = next(seat for seat in range(3) if seat != mover)
        table = apply_control_entry(
            apply_control_entry(make_playing_table(), mover or 0, Resign()), mover or 0, Substitute(absent)
        )
        names = [who.name for who in table.seats]
        describe = adapter.app.service(Readings).describe
        own, resigned, away = describe(table).split("\n\n")
        assert all(name in own for name in names)
        assert [name for name in names if name in resigned] == [names[mover or 0]]
        assert [name for name in names if name in away] == [names[absent]]
        back = apply_control_entry(table, absent, ComeBack())
        assert describe(back).split("\n\n")[1:] == [resigned]

    def test_a_tournament_comes_last(self, adapter: Adapter) -> None:
        table = make_playing_table(results=replace(MAGPIE_WITH_PICTURE.results, series=MAGPIE_SERIES.results.series))
        table = replace(table, header=replace(table.header, options=options_for(3).model_dump_json()))
        first, second = adapter.app.service(Readings).describe(table).split("\n\n")
        assert first == SCORES
        assert re.findall(r"\d+", second.splitlines()[0]) == ["1", "3"]

    def test_names_are_escaped(self, adapter: Adapter) -> None:
        table = make_playing_table()
        table = replace(table, seats=(replace(table.seats[0], name="*Robin*"), *table.seats[1:]))
        assert r"\*Robin\* 0" in adapter.app.service(Readings).describe(table)

    @pytest.mark.parametrize("status", [Status.LOBBY, Status.CANCELLED, Status.EXPIRED, Status.HELD])
    def test_a_table_without_a_running_game_is_read_as_it_is_shown(self, adapter: Adapter, status: Status) -> None:
        table = make_table(status=status, package=MAGPIE_WITH_PICTURE)
        reading = adapter.app.service(Readings).describe(table)
        embed = adapter.table_messages.build_content(table).text_embed
        for words in (embed.title, embed.description, *(field.value for field in embed.fields)):
            assert words
            assert words in reading

    def test_a_game_without_a_reading_is_read_as_it_is_shown(self, adapter: Adapter) -> None:
        table = make_playing_table(words=replace(MAGPIE_WITH_PICTURE.words, build_reading=None))
        title = adapter.table_messages.build_content(table).text_embed.title
        assert adapter.app.service(Readings).describe(table).startswith(str(title))

    def test_a_table_ended_by_resignations_is_not_read_by_its_game(self, adapter: Adapter) -> None:
        table = apply_control_entry(apply_control_entry(make_playing_table(), 0, Resign()), 1, Resign())
        assert table.header.status is Status.FINISHED
        assert "The scores are" not in adapter.app.service(Readings).describe(table)

    @pytest.mark.parametrize(
        ("scores", "is_by_its_game"), [((101, 20, 30), True), ((101, 30, 20), False), ((20, 101, 30), False)]
    )
    def test_a_completed_game_is_read_by_its_game_unless_a_resigned_seat_came_first(
        self, adapter: Adapter, scores: tuple[int, ...], is_by_its_game: bool
    ) -> None:
        table = apply_control_entry(apply_control_entry(make_playing_table(), 1, Resign()), 0, Substitute(2))
        ended = replace(table.state, scores=scores, trigger=scores.index(101), mover=None)
        table = replace(table, state=ended, header=replace(table.header, status=Status.FINISHED, to_move=None))
        reading = adapter.app.service(Readings).describe(table)
        assert reading.startswith(f"The scores are Robin {scores[0]}, Wren {scores[1]}, Jay") is is_by_its_game
        if is_by_its_game:
            assert "Wren" in reading.split("\n\n")[1], "whoever resigned is named"


class TestPages:
    @each_case(
        "text, pages",
        [
            ("aaaa bbb.\n\ncc dd ee ff", ["aaaa bbb.", "cc dd ee ff"]),
            ("aaa bb\ncc dd ee ff gg", ["aaa bb", "cc dd ee ff", "gg"]),
            ("aaaa bb. Cc dd ee", ["aaaa bb.", "Cc dd ee"]),
            ("aaaaa bbbbb ccccc", ["aaaaa bbbbb", "ccccc"]),
            ("aaaaaaa bbbb", ["aaaaaaa bbbb"]),
            ("a" * 12 + "\n", ["a" * 12]),
            ("a" * 25, ["a" * 12, "a" * 12, "a"]),
            ("e\u0301" * 7 + "a", ["e\u0301" * 6, "e\u0301a"]),
            ("a" + "🇫🇮" * 7, ["a" + "🇫🇮" * 5, "🇫🇮" * 2]),
        ],
    )
    def test_a_long_text_is_split_at_the_best_place(self, text: str, pages: list[str]) -> None:
        assert split_pages(text, 12) == pages

    def test_pages_lose_nothing_and_fit(self) -> None:
        text = "\n\n".join(" ".join(f"word{at}" for at in range(start, start + 90)) for start in range(0, 2000, 90))
        pages = split_pages(text)
        assert all(0 < len(page) <= PAGE_SIZE for page in pages)
        assert re.split(r"\s+", " ".join(pages)) == re.split(r"\s+", text)


async def test_the_button_shows_the_reading_privately(adapter: Adapter) -> None:
    table = await start_game(adapter.service)
    click = await adapter.click(make_click(STRANGER, ReadTableId(table.id)))
    assert [(answer.how, answer.ephemeral) for answer in click.answers] == [(AnswerMethod.SEND, True)]
    description, moment = click.text.split("\n\n")
    assert description == SCORES
    assert step_told(moment) == 0


async def test_a_reading_is_read_again_from_below_it(adapter: Adapter) -> None:
    table = await start_game(adapter.service)
    first = await adapter.click(make_click(ROBIN, ReadTableId(table.id)))
    mover = mover_of(table)
    await adapter.click(make_click(mover, ControlId(table.id, table.header.step, "roll", frozenset())))
    again = await adapter.click(make_click(ROBIN, parse_id(first.buttons()[0]), in_whisper=True))
    assert step_told(again.text) == 1
    await wait_until(lambda: first.deleted)


async def test_a_table_that_is_not_being_played_does_not_change_so_its_reading_tells_no_moment(
    adapter: Adapter,
) -> None:
    table = await open_lobby(adapter.service, ROBIN)
    assert "<t:" not in (await adapter.click(make_click(ROBIN, ReadTableId(table.id)))).text


async def test_a_long_reading_comes_in_several_messages(db: MemoryDatabase, shown: FakeTableMessages) -> None:
    long = "\n\n".join(f"Paragraph {number}: {'words ' * 40}" for number in range(20))
    adapter = Adapter(
        db,
        shown,
        GameRegistry(
            [
                replace(
                    MAGPIE_WITH_PICTURE,
                    words=replace(MAGPIE_WITH_PICTURE.words, build_reading=lambda _view, _names: long),
                )
            ]
        ),
    )
    table = await start_game(adapter.service)
    click = await adapter.click(make_click(ROBIN, ReadTableId(table.id)))
    assert [answer.how for answer in click.answers] == [
        AnswerMethod.SEND,
        AnswerMethod.FOLLOW_UP,
        AnswerMethod.FOLLOW_UP,
    ]
    assert all(answer.ephemeral and len(answer.content or "") <= PAGE_SIZE for answer in click.answers)
    await adapter.host.close()


async def test_the_persons_own_solo_game_comes_first(adapter: Adapter) -> None:
    await start_game(adapter.service)
    own = await open_lobby(adapter.service, WREN, location=replace(HERE, solo_id=WREN.id))
    own = await adapter.service.start(own.id, WREN, 99)
    command = make_command(WREN)
    await adapter.app.service(TableCommands).read(command)  # type: ignore[arg-type]
    assert command.text.startswith("\n".join(split_pages(adapter.app.service(Readings).describe(own))))


class TestReadingAloud:
    """The table is read to a player after each of their moves."""

    async def test_a_player_turns_it_on_and_off_below_a_reading(self, adapter: Adapter, db: MemoryDatabase) -> None:
        table = await start_game(adapter.service)
        reading = await adapter.click(make_click(ROBIN, ReadTableId(table.id)))
        again = str(ReadTableId(table.id))
        assert reading.buttons() == [again, str(ReadAloudId(table.id, Switch.ON)), str(PingPanelId(table.id))]
        for switch, other in ((Switch.ON, Switch.OFF), (Switch.OFF, Switch.ON)):
            pressed = await adapter.click(make_click(ROBIN, ReadAloudId(table.id, switch), in_whisper=True))
            assert db.chosen[ROBIN.id].get(READING_ALOUD) is (switch is Switch.ON)
            assert pressed.buttons() == [str(ReadAloudId(table.id, other))]
            assert [answer.how for answer in pressed.answers] == [AnswerMethod.EDIT]

    @pytest.mark.parametrize("computers", [0, 1])
    async def test_the_table_is_read_as_it_is_after_the_move(
        self, adapter: Adapter, db: MemoryDatabase, computers: int
    ) -> None:
        db.chosen[ROBIN.id] = db.chosen[WREN.id] = chosen({READING_ALOUD: True})
        table = await start_game(adapter.service, ROBIN, *([] if computers else [WREN]), computers=computers)
        await wait_until(lambda: not adapter.service.cache.get(table.id).header.awaits_computer)  # type: ignore[union-attr]
        table = await adapter.service.table(table.id)
        listener = mover_of(table)
        click = await adapter.click(make_click(listener, ControlId(table.id, table.header.step, "roll", frozenset())))
        await wait_until(lambda: len(click.answers) > 1)
        after = await adapter.service.table(table.id)
        assert after.header.step == table.header.step + 1 + computers, "computer players have moved, too"
        assert [answer.ephemeral for answer in click.answers] == [False, True]
        news, description, moment = (click.answers[1].content or "").split("\n\n")
        assert step_told(moment) == after.header.step
        assert description == adapter.app.service(Readings).describe(after)
        assert news.startswith(f"**{listener.name}**")
        assert len(news.splitlines()) == 1 + computers, "what the player did, then the others"
        again = str(ReadTableId(table.id))
        pings = [] if computers else [str(PingPanelId(table.id))]
        assert click.buttons() == [again, str(ReadAloudId(table.id, Switch.OFF)), *pings]

    async def test_what_else_a_player_does_is_read_but_not_what_they_tick(
        self, adapter: Adapter, db: MemoryDatabase
    ) -> None:
        db.chosen[ROBIN.id] = chosen({READING_ALOUD: True})
        lobby = await open_lobby(adapter.service, ROBIN, WREN)
        start = LobbyId(lobby.id, lobby.header.revision, LobbyButton.START)
        for custom_id in (start, SeatId(lobby.id, 0, SeatButton.RESIGN)):
            click = await adapter.click(make_click(ROBIN, custom_id))
            table = await adapter.service.table(lobby.id)
            await wait_until(lambda click=click: len(click.answers) > 1)  # type: ignore[misc]
            assert adapter.app.service(Readings).describe(table) in (click.answers[-1].content or "")
        again = await start_game(adapter.service, ROBIN)
        tick = await adapter.click(make_click(ROBIN, ControlId(again.id, 0, "keep1", frozenset())))
        assert adapter.drafts.of(again)
        await adapter.app.service(Readings).close(5)
        assert len(tick.answers) == 1

    async def test_no_move_waits_for_the_preference(self, adapter: Adapter, db: MemoryDatabase) -> None:
        # The click itself needs the server's settings.
        await adapter.settings.get(HERE.scope_id)
        db.before[setting_storage.find] = gate = Gate()
        table = await start_game(adapter.service)
        click = await adapter.click(make_click(mover_of(table), ControlId(table.id, 0, "roll", frozenset())))
        assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]
        gate.open()
