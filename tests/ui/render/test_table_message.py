"""The message of a table: within Discord's limits, with buttons that only the dispatcher handles."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import Combination, Rolled, State
from bot.pictures.service import PictureFile
from bot.platform.discord.content import MessageContent, page_buttons
from bot.platform.discord.ids import parse_id
from bot.platform.discord.refusals import ClickReason
from bot.platform.paging import Page
from bot.platform.places import Person
from bot.rules.game import RollOffRound
from bot.rules.picture import ColourRole, Picture, Sprite
from bot.rules.screen import Draft, Field, Menu, News, Play, Screen
from bot.rules.story import PIECE_AREA, Highlight, HighlightPiece
from bot.tables import lobby as lobby_actions
from bot.tables.handlers.ids import ControlId, MenuId, MoreId, OptionPageId, ReadOnlyId
from bot.tables.model import Occupant, Status
from bot.tables.registry import GameRegistry
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.message import add_banner, render_position
from bot.tables.table import MoveNews, Table
from bot.words import gettext, seat_emoji
from tests.support.each_case import each_case
from tests.support.fakes import make_table, mover_of, start_game
from tests.support.games import load_games_once
from tests.support.magpie_series import as_second_game
from tests.support.memory_database import MemoryDatabase
from tests.support.rendering import render_game
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, FakeInteraction, make_click, make_menu_choice
from tests.ui.fake_pictures import make_table_messages

LONG_OPTIONS = '{"target": 500, "double_big_rolls": true, "reroll_fours": true, "five_dice_bonus": true}'

NASTY = [
    "*",
    "_",
    "`",
    "|",
    "\\",
    "~",
    "@everyone ",
    "<@123456789012345678>",
    "𝕏",
    "👩‍🚀",
    "ﷺ",
    "#",
    ">",
    "[a](b)",
]


def content_of(table: Table) -> MessageContent:
    return make_table_messages().build_content(table)


def six(sign: str) -> tuple[Occupant, ...]:
    """Six people whose names are as long as can be."""
    name = (sign * 32)[:32]
    return tuple(lobby_actions.make_occupant(Person(at, name), at) for at in range(1, 7))


def units(text: str | None) -> int:
    """Length as the stricter of the two ways to count: in UTF-16, where emoji count twice."""
    return len((text or "").encode("utf-16-le")) // 2


def assert_fits(content: MessageContent) -> None:
    embed = content.text_embed
    assert 1 <= units(embed.title) <= 256
    assert units(embed.description) <= 4096
    assert len(embed.fields) <= 25
    for block in embed.fields:
        assert 1 <= units(block.name) <= 256
        assert 1 <= units(block.value) <= 1024
    assert units(embed.footer.text) <= 2048
    texts = [embed.title, embed.description, embed.footer.text]
    texts += [text for block in embed.fields for text in (block.name, block.value)]
    assert sum(map(units, texts)) <= 6000
    assert len(content.rows) <= 5
    ids = [press.custom_id for row in content.rows for press in row]
    assert len(set(ids)) == len(ids)
    for row in content.rows:
        assert 1 <= len(row) <= 5
        for press in row:
            assert 1 <= units(press.label) <= 80
            assert 1 <= len(press.custom_id) <= 100
            parse_id(press.custom_id)


def with_longest_round(table: Table, **changes: Any) -> Table:
    """The table after a round in which every seat did the longest thing it can."""
    seats = range(len(table.seats))
    rolls = (Rolled(seat, (1, 2, 3, 4, 5), (1,) * 5, (6,) * 5, Combination.FIVE_OF_A_KIND, 110) for seat in seats)
    news = tuple(MoveNews(roll.seat, (roll,)) for roll in rolls)
    state: State = replace(table.state, **changes)
    to_move = state.mover
    status = Status.FINISHED if to_move is None else Status.PLAYING
    header = replace(table.header, to_move=to_move, status=status, step=10**9, id=10**15)
    return replace(table, state=state, news=news, header=header)


def render_with_screen(**parts: Any) -> MessageContent:
    package = replace(
        MAGPIE,
        words=replace(MAGPIE.words, build_screen=lambda *args: replace(MAGPIE.words.build_screen(*args), **parts)),
    )
    content = render_position(replace(make_table(status=Status.PLAYING), package=package))
    return content.with_picture(PictureFile(b"", "table.png", ""))


def test_beside_a_picture_are_the_story_and_only_the_fields_that_it_does_not_show() -> None:
    fields = (Field("Scores", "in full"), Field("Tally", "in full", is_beside_picture=True))
    embed = render_with_screen(rule="A rule.", fields=fields).embed_json()
    assert embed["description"].split("\n")[0] == "A rule."
    assert [(field["name"], field["inline"]) for field in embed["fields"]] == [("Tally", False)]
    assert "footer" not in embed
    assert embed["image"] == {"url": "attachment://table.png"}


def test_the_game_and_its_goal_are_named_above_the_title_alone() -> None:
    embed = render_position(make_table(options='{"target": 250}', status=Status.PLAYING)).embed_json()
    assert gettext(MAGPIE.game.info.title) in embed["author"]["name"]
    assert "250" in embed["author"]["name"]
    assert gettext(MAGPIE.game.info.title) not in embed["title"]


def test_a_table_in_a_replay_keeps_its_note() -> None:
    notes = [
        render_position(make_table(options=options, status=Status.PLAYING)).text_embed.footer.text
        for options in (LONG_OPTIONS, "{}")
    ]
    assert "500" in str(notes[0])
    assert notes[1] is None


class TestLimits:
    @each_case("sign", NASTY)
    def test_a_lobby_fits_discords_limits(self, sign: str) -> None:
        table = make_table(*six(sign), options=LONG_OPTIONS, id=10**15, revision=10**15)
        assert_fits(content_of(table))

    @each_case("sign", NASTY)
    def test_a_game_under_way_fits_discords_limits(self, sign: str) -> None:
        table = make_table(*six(sign), options=LONG_OPTIONS, status=Status.PLAYING)
        assert_fits(content_of(table))
        assert_fits(content_of(with_longest_round(table, scores=(610,) * 5 + (0,), mover=5, trigger=0)))

    @each_case("sign", NASTY)
    def test_a_roll_off_of_many_rounds_fits_discords_limits(self, sign: str) -> None:
        table = make_table(*six(sign), status=Status.PLAYING)
        tie = RollOffRound(tuple((seat, (6,) * 5) for seat in range(6)))
        end = RollOffRound(((0, (6,) * 5), (1, (1,) * 5)))
        state = replace(table.state, roll_off=(tie, tie, tie, end), mover=0)
        assert_fits(content_of(replace(table, state=state)))

    @each_case("sign", NASTY)
    @each_case("winners", range(1, 7))
    def test_an_ended_game_fits_discords_limits(self, sign: str, winners: int) -> None:
        table = make_table(*six(sign), options=LONG_OPTIONS, status=Status.PLAYING)
        scores = (610,) * winners + (0,) * (6 - winners)
        assert_fits(content_of(with_longest_round(table, scores=scores, mover=None, trigger=0)))


class TestColours:
    def test_seats_have_as_many_colours_as_marks(self) -> None:
        seats = range(len(SEAT_COLOURS))
        assert len(set(SEAT_COLOURS)) == len({seat_emoji(seat) for seat in seats}) == len(seats)
        with pytest.raises(IndexError):
            seat_emoji(len(seats))

    def test_no_game_has_more_seats_than_there_are_colours(self) -> None:
        assert max(package.game.info.most_seats for package in load_games_once().values()) <= len(SEAT_COLOURS)

    def test_the_message_has_the_colour_of_the_seat_to_move(self) -> None:
        table = make_table(status=Status.PLAYING)
        for seat in range(3):
            turn = replace(table, state=replace(table.state, mover=seat))
            colour = content_of(turn).text_embed.colour
            assert colour is not None
            assert colour.value == SEAT_COLOURS[seat]


class TestViews:
    @each_case("status", [Status.LOBBY, Status.PLAYING])
    async def test_views_are_stopped_and_never_time_out(self, status: Status) -> None:
        view = content_of(make_table(status=status)).view()
        assert view is not None
        assert view.is_finished()
        assert view.timeout is None

    async def test_views_are_built_for_each_message(self) -> None:
        content = content_of(make_table())
        assert content.view() is not content.view()


class TestMessageText:
    def test_a_finished_table_that_does_not_replay_is_not_called_held(self) -> None:
        """A finished table cannot be cancelled."""
        table = replace(make_table(status=Status.FINISHED), state=None)
        assert "/table cancel" not in (content_of(table).text_embed.description or "")

    def test_names_are_escaped_everywhere(self) -> None:
        name = "**@everyone** _x_"
        seats = tuple(lobby_actions.make_occupant(Person(at, name), at) for at in range(1, 4))
        for status in (Status.LOBBY, Status.PLAYING):
            embed = content_of(make_table(*seats, status=status)).text_embed
            texts = [embed.title or "", embed.description or "", *(str(each.value) for each in embed.fields)]
            shown = "\n".join(texts)
            assert r"\*\*@" in shown
            assert "@everyone" not in shown
            assert "_x_" not in shown.replace("\\_", "")
        # Footers know no Markdown, so a backslash would be seen there.
        assert name in str(content_of(as_second_game(make_table(*seats))).text_embed.footer.text)


class TestGameButtons:
    def test_game_buttons_carry_table_step_and_draft(self) -> None:
        table = make_table(status=Status.PLAYING)
        table = replace(table, header=replace(table.header, id=5, step=9))
        content = render_game(table, frozenset({2, 3}))
        found = [parse_id(press.custom_id) for row in content.rows for press in row]
        controls = [each for each in found if isinstance(each, ControlId)]
        assert {(each.table_id, each.step, each.draft) for each in controls} == {(5, 9, frozenset({2, 3}))}
        assert {each.key for each in controls} > {"others", *(f"keep{place}" for place in range(1, 6))}


def test_a_screen_has_only_public_information() -> None:
    """The message shows the spectator's view, no matter which player clicked."""
    seats: list[object] = []

    class Noting(type(MAGPIE.game)):  # type: ignore[misc]
        def view(self, state: State, seat: int | None) -> State:
            seats.append(seat)
            return state

    table = make_table(status=Status.PLAYING, package=replace(MAGPIE, game=Noting()))
    content_of(table)
    assert set(seats) == {None}


NAMES = ("Robin", "Wren", "Jay")

TABLE = Picture((1000, 200), (), (), "A table.")


def piece(name: str) -> HighlightPiece:
    return HighlightPiece(name, (Sprite("die", PIECE_AREA, ColourRole.GOLD),))


@each_case(
    "number, names, told",
    [
        ("+0", ["skull"] * 3, ["+0", "3 × skull"]),
        ("−2", ["red circle", "red star"], ["−2", "red circle", "red star"]),
        ("+12", ["2", "2", "3"], ["+12", "2 × 2", "3"]),
        ("45", [""], ["45"]),
        ("45", [], ["45"]),
    ],
)
def test_a_banner_is_told_with_its_dice_or_cards(number: str, names: list[str], told: list[str]) -> None:
    drawn = add_banner(TABLE, Highlight("Banner!", number, 2, pieces=tuple(map(piece, names))), 0)
    text = drawn.description.removeprefix("A table. ").partition("Banner!")[2]
    places = [text.index(each) for each in told]
    assert places == sorted(places)


def test_pieces_without_room_are_told_as_more() -> None:
    names = [f"{number} red" for number in range(1, 13)]
    drawn = add_banner(TABLE, Highlight("Completed!", "+12", 3, pieces=tuple(map(piece, names))), 1)
    shown = sum(isinstance(mark, Sprite) and mark.name == "die" for mark in drawn.marks)
    assert 1 < shown < len(names)
    assert ", ".join(names[:shown]) in drawn.description
    assert names[shown] not in drawn.description


def show(view: Any, news: Sequence[News[Any]], names: Sequence[str], draft: Draft) -> Screen:
    """Draw Magpie with a menu for each of its rows."""
    screen = MAGPIE.words.build_screen(view, news, names, draft)
    rows = [
        tuple(replace(each, description=f"key {each.key}") for each in row)
        for row in (screen.controls[-1], screen.shortcuts)
    ]
    menus = tuple(Menu(f"row{at}", f"Row {at}", row) for at, row in enumerate(rows))
    return replace(screen, shortcuts=(), controls=(), menus=menus)


LISTED = replace(MAGPIE, words=replace(MAGPIE.words, build_screen=show))


@pytest.fixture
def games() -> GameRegistry:
    return GameRegistry([LISTED])


async def shown_game(adapter: Adapter) -> Table:
    table = await start_game(adapter.service)
    await adapter.wait_until_shown()
    return await adapter.service.table(table.id)


def choice(table: Table, person: Person, menu: str, *values: str, draft: Draft = frozenset()) -> FakeInteraction:
    custom_id = MenuId(table.id, table.header.step, menu, draft)
    return make_menu_choice(person, custom_id, *values, message_id=table.header.message_id)


async def test_a_chosen_line_is_played(adapter: Adapter, db: MemoryDatabase) -> None:
    table = await shown_game(adapter)
    click = await adapter.click(choice(table, mover_of(table), "row1", "roll"))
    played = MAGPIE.words.build_screen(table.state, (), NAMES, frozenset()).find_control("roll")
    assert played is not None
    assert [Play(text) for text in db.texts(table.id)] == [played.effect]
    assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT]


async def test_a_chosen_line_may_lead_to_another_screen(adapter: Adapter, db: MemoryDatabase) -> None:
    table = await shown_game(adapter)
    click = await adapter.click(choice(table, mover_of(table), "row0", "keep2"))
    assert [(answer.how, answer.sent) for answer in click.answers] == [(AnswerMethod.EDIT, frozenset({"view"}))]
    await adapter.click(choice(table, mover_of(table), "row1", "others"))
    assert db.texts(table.id) == ["roll 1 3 4 5"]


async def test_a_choice_needs_exactly_one_value(adapter: Adapter, db: MemoryDatabase) -> None:
    table = await shown_game(adapter)
    custom_id = MenuId(table.id, table.header.step, "row1", frozenset())
    for click in (
        choice(table, mover_of(table), "row1"),
        choice(table, mover_of(table), "row1", "roll", "rest"),
        make_click(mover_of(table), custom_id),
    ):
        assert (await adapter.click(click)).refusal is ClickReason.UNKNOWN_BUTTON
    assert db.texts(table.id) == []


async def test_menus_are_above_the_buttons() -> None:
    table = make_table(status=Status.PLAYING, package=LISTED)
    content = render_game(table, frozenset({1}))
    view = content.view()
    assert view is not None
    dice, *_moves, buttons = (row["components"] for row in view.to_components())
    (menu,) = dice
    assert menu["custom_id"] == str(MenuId(table.id, table.header.step, "row0", frozenset({1})))
    assert menu["placeholder"] == "Row 0"
    assert [line["value"] for line in menu["options"]] == ["keep1", "keep2", "keep3", "keep4", "keep5"]
    assert [line["description"] for line in menu["options"]][:2] == ["key keep1", "key keep2"]
    assert not any(line["default"] for line in menu["options"])
    assert [parse_id(button["custom_id"]) for button in buttons] == [
        ReadOnlyId(table.id, table.header.revision, MoreId(table.id))
    ]


def test_a_menu_says_which_control_a_choice_presses() -> None:
    assert MenuId(3, 9, "row0", frozenset({1})).control_id("die2") == ControlId(3, 9, "die2", frozenset({1}))


@each_case(
    "number, count, offered",
    [(1, 1, []), (1, 2, [2]), (2, 2, [1]), (2, 3, [1, 3])],
)
def test_only_existing_pages_are_offered(number: int, count: int, offered: list[int]) -> None:
    buttons = page_buttons(Page(number, count), lambda page: OptionPageId(7, page))
    assert [button.custom_id for button in buttons] == [str(OptionPageId(7, page)) for page in offered]
