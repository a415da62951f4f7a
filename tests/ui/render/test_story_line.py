"""The two lines next to a picture: what the turns since one's own have brought."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from bot.rules.chance import FastChance
from bot.rules.hero import BestTurn
from bot.rules.picture import Label
from bot.rules.playout import random_move
from bot.rules.race import unpack_race
from bot.rules.screen import EMPTY_DRAFT, events_of
from bot.rules.study import Tip
from bot.tables import lobby as lobby_actions
from bot.tables.characters import name_seats
from bot.tables.control_entries import Substitute
from bot.tables.highlights import heavy_highlight, is_passing
from bot.tables.model import Occupant, Status, TurnClock
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import count_letters
from bot.tables.shown.message import table_picture
from bot.tables.shown.pride import describe_best_turn
from bot.tables.shown.screen import screen_of
from bot.tables.shown.story import turns_of
from bot.tables.shown.story_line import (
    EMPTY_LINE,
    LETTERS_IN_LINE,
    lay_out_story,
    tell_last_turns,
    tell_story,
)
from bot.tables.table import Table, apply_control_entry, apply_move
from bot.words import format_signed, gettext as _
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, make_table
from tests.support.games import load_games_once
from tests.support.rendering import render_game

GAMES = load_games_once()
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")


def start(key: str, seats: int) -> Table:
    people = (Occupant(name=name, user_id=number) for number, name in enumerate(NAMES[:seats], 1))
    return make_table(*people, status=Status.PLAYING, package=GAMES[key])


def against_computers(count: int, package: AnyPackage = GAMES["magpie"]) -> Table:
    table = make_table(lobby_actions.make_occupant(ROBIN, 500), package=package)
    for _number in range(count):
        table = lobby_actions.with_computer(table)
    return lobby_actions.start(table, ROBIN, 1)


def roll(table: Table, turns: int) -> Table:
    """Re-roll all dice of Magpie as each seat in turn."""
    for _turn in range(turns):
        table = apply_move(table, table.header.to_move or 0, table.package.game.parse_move("roll 1 2 3 4 5"))
    return table


def names_in(story: str) -> list[str]:
    """Return the names in bold print."""
    return story.split("**")[1::2]


def test_it_begins_with_the_last_turn_of_the_player_to_move() -> None:
    table = start("magpie", 3)
    for turns in range(1, 8):
        now = roll(table, turns)
        mover = now.header.to_move or 0
        told = names_in(tell_story(now))
        seats = [(mover + step) % 3 for step in range(3)]
        assert told == [NAMES[seat] for seat in seats][-min(turns, 3) :]


def test_the_only_person_is_told_in_the_second_person() -> None:
    table = against_computers(1)
    while table.header.to_move != 0:
        table = roll(table, 1)
    mine = tell_story(roll(table, 1))
    assert mine.startswith(_("You"))
    assert names_in(mine) == []
    both = tell_story(roll(table, 2))
    assert names_in(both) == ["Rusty"]
    assert both.startswith(mine.split(".")[0]), "one's own result stays until one's next turn"


@pytest.mark.parametrize("key", sorted(key for key, package in GAMES.items() if package.game.info.most_seats > 1))
def test_ones_own_result_stays_in_the_story_and_in_ones_row_until_ones_next_move(key: str) -> None:
    """In a row of Change it is what the whole round brought, because the moves of others change it."""
    package, shown = GAMES[key], Counter[str]()
    for computers in {1, package.game.info.most_seats - 1}:
        table, chance = against_computers(computers, package), FastChance(Random(key))
        mine, shorter, gain = "", "", 0
        for _step in range(200):
            if table.header.to_move is None:
                break
            moves = package.game.legal_moves(table.state)
            before, table = table, apply_move(table, table.header.to_move, random_move(moves, chance))
            if mine and table.news[-1].from_seen:
                for badge in ("", "🏅 A badge that takes a whole line"):
                    story = tell_story(before, screen_of(before).rule, badge=badge).replace("\n", " ")
                    assert badge in story
                    # A bare 0 would not say that it was a bust.
                    allowed = (mine, shorter, format_signed(gain) if gain else "")
                    assert any(told and f"{_('You')}: {told}" in story for told in allowed)
                shown["story"] += 1
                shown["step"] += is_passing(before)
                if gain and key != "change":
                    assert format_signed(gain) in texts_in_row_of(before, ROBIN.name)
                    shown["row"] += 1
            newest = turns_of(table, None)[-1]
            if not table.seats[newest.seat].is_computer:
                mine = ""
                if newest.is_over and package.words.narration is not None:
                    told = package.game.view(table.state, None), newest.news
                    mine, shorter = (
                        tell(*told) for tell in (package.words.narration.brief, package.words.narration.brief_change)
                    )
                    gain = gain_of_last_turn(table)
    assert shown["story"] > 20
    assert shown["row"] > 5 or key == "change"
    assert shown["step"] > 5 or package.look.shows_step is None


@pytest.mark.parametrize("key", sorted(key for key, package in GAMES.items() if package.look.shows_step is not None))
def test_a_step_of_a_computer_players_turn_stands_below_ones_own_result_without_a_rule(key: str) -> None:
    table, chance, told = against_computers(1, GAMES[key]), FastChance(Random(key)), Counter[bool]()
    for _step in range(300):
        if table.header.to_move is None:
            break
        moves = table.package.game.legal_moves(table.state)
        before, table = table, apply_move(table, table.header.to_move, random_move(moves, chance))
        if is_passing(before) and table.news[-1].from_seen and len(turns_of(before, None)) > 1:
            rule = screen_of(before).rule
            story = tell_story(before, rule)
            assert story.startswith(f"{_('You')}: ")
            assert not rule or rule not in story
            told[names_in(story) == ["Rusty"]] += 1
    assert told[True] > 5
    assert not told[False]


def gain_of_last_turn(table: Table) -> int:
    before, after = unpack_race(table.race, len(table.seats))[-2:]
    return after[table.news[-1].seat] - before[table.news[-1].seat]


@each_case("names", [("Maximiliana Groß", "Konstantinopolis"), ("W" * 16, "Ш" * 16)])
def test_long_names_are_cut_before_a_persons_result_is_left_out(names: tuple[str, str]) -> None:
    """In Fortune, the rule of the card leaves the story one line."""
    people = (Occupant(name=name, user_id=number) for number, name in enumerate(names, 1))
    table, chance = make_table(*people, status=Status.PLAYING, package=GAMES["fortune"]), FastChance(Random(1))
    told = Counter[str]()
    for _step in range(200):
        moves = table.package.game.legal_moves(table.state)
        table = apply_move(table, table.header.to_move or 0, random_move(moves, chance))
        if table.news[-1].ends_turn and len({move.seat for move in table.news}) > 1:
            first_line, second_line = tell_story(table, screen_of(table).rule).split("\n")
            assert second_line == screen_of(table).rule
            listener, *others = names_in(first_line)
            assert listener[0] == names[table.header.to_move or 0][0]
            told["pair" if others else "alone"] += 1
            assert first_line.endswith(".")
    assert told["pair"] > 2 * told["alone"]


def texts_in_row_of(table: Table, name: str) -> list[str]:
    """Return what stands beside a name in the picture of a table."""
    build = table.package.look.build_picture
    assert build is not None
    labels = [mark for mark in table_picture(table, build, None).marks if isinstance(mark, Label)]
    row = next(label.at for label in labels if label.text == name)
    return [label.text for label in labels if label.at.y < row.bottom and label.at.bottom > row.y]


def test_the_end_begins_with_the_last_turn_of_the_only_person() -> None:
    table = against_computers(1)
    while table.header.to_move is not None:
        table = roll(table, 1)
    first_line = _told_at_the_end(table).splitlines()[0]
    assert first_line == tell_last_turns(table, 0)
    assert first_line.startswith(f"{_('You')}: ")
    if change := gain_of_last_turn(table):
        assert format_signed(change) in first_line
    assert tell_last_turns(table, 1) == "", "it is no one else's"


def test_a_last_turn_that_was_the_best_is_told_once() -> None:
    table = against_computers(1)
    while table.header.to_move is not None:
        table = roll(table, 1)
    last = next(turn for turn in reversed(turns_of(table, None)) if turn.seat == 0)
    best = BestTurn(1, events_of(last.news), table.state)
    over = replace(table, best_turns=(best, None), feats=())
    assert _told_at_the_end(over).count(describe_best_turn(over, 0)) == 1


def _told_at_the_end(table: Table) -> str:
    return str(render_game(table, EMPTY_DRAFT).picture_embed_json["description"])


def test_before_a_computer_player_moves_the_last_persons_turn_is_told() -> None:
    table = roll(start("magpie", 3), 1)
    first = table.news[0].seat
    table = apply_control_entry(table, first, Substitute(table.header.to_move or 0))
    assert table.header.awaits_computer
    assert names_in(tell_story(table)) == [NAMES[first]]


def test_of_many_turns_it_names_the_listeners_and_the_one_that_gained_most() -> None:
    table = against_computers(5)
    while table.header.to_move != 0 or len(table.news) < 6:
        table = roll(table, 1)
    gains = {move.seat: sum(event.points for event in move.events if hasattr(event, "points")) for move in table.news}
    richest = max(range(1, 6), key=lambda seat: (gains[seat], [move.seat for move in table.news].index(seat)))
    assert names_in(tell_story(table))[-1] == name_seats(table.seats)[richest]


@pytest.mark.parametrize("key", sorted(key for key, package in GAMES.items() if package.game.info.most_seats > 3))
def test_of_many_turns_the_one_whose_moment_the_picture_shows_is_told(key: str) -> None:
    table, chance, told = against_computers(3, GAMES[key]), FastChance(Random(key)), 0
    for _step in range(300):
        if table.header.to_move is None:
            break
        moves = table.package.game.legal_moves(table.state)
        table = apply_move(table, table.header.to_move, random_move(moves, chance))
        turns = turns_of(table, None)
        is_told = turns[-1].is_over and table.header.to_move == 0 and len(turns) > 3
        if is_told and heavy_highlight(table, table.package.game.view(table.state, None)) is not None:
            assert names_in(tell_story(table))[-1:] == [name_seats(table.seats)[turns[-1].seat]]
            told += 1
    assert told


@pytest.mark.parametrize("key", sorted(key for key, package in GAMES.items() if package.game.info.most_seats > 2))
def test_two_others_are_both_told(key: str) -> None:
    table, chance, told = against_computers(2, GAMES[key]), FastChance(Random(key)), Counter[int]()
    for _step in range(300):
        if table.header.to_move is None:
            break
        moves = table.package.game.legal_moves(table.state)
        table = apply_move(table, table.header.to_move, random_move(moves, chance))
        turns = turns_of(table, None)
        if turns[-1].is_over and table.header.to_move == 0 and len(turns) > 2:
            told[len(names_in(tell_story(table)))] += 1
    assert told == {2: told[2]}


@each_case("second_line", ["", "A rule that matters"])
@each_case("remark", ["", "Vesper: *Good evening.*", "*One does not see that often.*"])
def test_it_always_takes_two_lines(second_line: str, remark: str) -> None:
    for key, package in sorted(GAMES.items()):
        table, random = start(key, package.game.info.most_seats), Random(key)
        for _step in range(30):
            if table.header.status is not Status.PLAYING:
                break
            lines = tell_story(table, second_line, remark=remark).split("\n")
            assert len(lines) == 2
            assert names_in(" ".join(lines)) == names_in(tell_story(table, second_line)), "no news are left out for it"
            assert not second_line or second_line in lines
            assert max(count_letters(line.replace("**", "#").replace("*", "")) for line in lines) <= LETTERS_IN_LINE
            moves = package.game.legal_moves(table.state)
            table = apply_move(table, table.header.to_move or 0, random_move(moves, FastChance(random)))


@each_case(
    "story, told",
    [
        ("You: two pair, +5. **Wren**: full house, +8.", "You: two pair, +5.\n**Wren**: full house, +8."),
        ("**Robin**: full house with fours, +8. Then **Wren**: three of a kind and a half, +3.", "**Robin**: +8."),
        ("**Robin**: a full house, +88. **Wren**: three of a kind and some more, +3.", "**Robin**: +8."),
        ("**Robin**: four of a kind, +8. And then **Wren**: three of a kind and more, +3.", "**Robin**: +8."),
        ("**Robin**: a full house, +88. **Wren of Yew**: three of a kind and more, +3.", "**Robin**: +8."),
    ],
)
def test_no_line_ends_with_the_first_words_of_a_sentence_or_within_a_name(story: str, told: str) -> None:
    assert lay_out_story((story, "**Robin**: +8.")).replace(f"\n{EMPTY_LINE}", "") == told


@each_case("text", ["Beginn", "Schlüß", "Начало", "התחלה"])
def test_letters_of_every_alphabet_take_one_place(text: str) -> None:
    assert count_letters(text) == len(text)


def test_before_the_first_move_it_is_empty() -> None:
    assert tell_story(start("magpie", 2)) == f"{EMPTY_LINE}\n{EMPTY_LINE}"


def test_a_tip_takes_the_second_line() -> None:
    table = roll(start("magpie", 2), 1)
    content = render_game(table, EMPTY_DRAFT, Tip("roll", "Roll the dice."))
    first, second = str(content.picture_embed_json["description"]).split("\n")
    assert names_in(first) == [NAMES[table.news[0].seat]]
    assert "Roll the dice." in second
    assert "Roll the dice." in str(content.text_embed_json["description"]), "without a picture it is told, too"


def test_until_something_has_happened_the_rule_stands_above_a_tip() -> None:
    table = start("magic_bag", 1)
    rule = screen_of(table).rule
    content = render_game(table, EMPTY_DRAFT, Tip("roll", "Roll the dice."))
    first, second = str(content.picture_embed_json["description"]).split("\n")
    assert rule
    assert first == rule
    assert "Roll the dice." in second


def test_a_rule_of_a_whole_line_is_not_cut_above_a_tip() -> None:
    rule = "l" * (LETTERS_IN_LINE + 5)
    assert tell_story(start("magpie", 2), rule, "A tip") == f"{rule}\nA tip"


@pytest.mark.parametrize("is_computers_turn", [False, True])
def test_at_a_table_with_a_clock_there_is_always_a_third_line(is_computers_turn: bool) -> None:
    table = roll(start("magpie", 2), 1)
    header = table.header
    clock = replace(header.clock, limit=TurnClock.ONE_DAY, ends_at=None if is_computers_turn else header.updated_at)
    table = replace(table, header=replace(header, clock=clock, awaits_computer=is_computers_turn))
    assert str(render_game(table, EMPTY_DRAFT).picture_embed_json["description"]).count("\n") == 2
