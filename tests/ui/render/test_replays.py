"""Replays by turns: where turns start, where buttons lead, and which turns the menu lists."""

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from bot.features.replays.messages import ReplayButton, ReplayId, listed_turns, render_replay
from bot.features.replays.model import Replay
from bot.games.magpie.pieces import Combination, Rolled
from bot.platform.discord.ids import parse_id
from bot.rules.playout import random_move
from bot.rules.screen import MAX_MENU_LINES
from bot.tables.control_entries import Resign
from bot.tables.highlights import newest_highlight
from bot.tables.lobby import make_occupant
from bot.tables.model import Entry, Status
from bot.tables.registry import AnyPackage
from bot.tables.table import MoveNews, apply_control_entry, apply_move
from bot.words import gettext, seat_emoji
from tests.support.each_case import each_case
from tests.support.fakes import NOON, PEOPLE, ROBIN, WREN, make_table
from tests.support.games import load_games_once

GAMES = load_games_once()


class SeededChoice:
    """Chance that random play draws its choices from."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def randbelow(self, n: int) -> int:
        return self._random.randrange(n)


TURNS = [ReplayButton.FIRST, ReplayButton.PREVIOUS_TURN, ReplayButton.NEXT_TURN, ReplayButton.LAST]


def play(package: AnyPackage, seats: int, *, steps: int = 400) -> Replay:
    """Play a game at random, at most so many steps."""
    people = [make_occupant(person, at) for at, person in enumerate(PEOPLE[:seats])]
    table = make_table(*people, status=Status.PLAYING, package=package)
    chance: Any = SeededChoice(1)
    entries: list[Entry] = []
    stages = [table]
    while (seat := table.header.to_move) is not None and len(entries) < steps:
        move = random_move(package.game.legal_moves(table.state), chance)
        table = apply_move(table, seat, move)
        entries.append(Entry(len(entries) + 1, seat, str(move), "", None, NOON))
        stages.append(table)
    return Replay(tuple(entries), tuple(stages))


def buttons_of(replay: Replay, step: int) -> list[list[ReplayButton]]:
    ids = [[parse_id(press.custom_id) for press in row] for row in render_replay(replay, step).rows]
    return [[each.button for each in row if isinstance(each, ReplayId)] for row in ids]


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_turn_is_played_by_one_seat_and_the_next_begins_with_another_position(game: str) -> None:
    package = GAMES[game]
    replay = play(package, package.game.info.least_seats)
    assert replay.turn_starts[0] == 0
    assert list(replay.turn_starts) == sorted(set(replay.turn_starts))
    assert 1 < len(replay.turn_starts) <= replay.last


def test_in_a_turn_of_change_others_may_have_to_decide() -> None:
    replay = play(GAMES["change"], 3)
    for start, end in zip(replay.turn_starts, replay.turn_starts[1:], strict=False):
        assert len({stage.state.public.turn for stage in replay.stages[start:end]}) == 1
    movers = [
        {stage.header.to_move for stage in replay.stages[start:end]}
        for start, end in zip(replay.turn_starts, replay.turn_starts[1:], strict=False)
    ]
    assert any(len(each) > 1 for each in movers)


def test_a_turn_of_the_magic_bag_ends_with_a_row_or_a_coin() -> None:
    replay = play(GAMES["magic_bag"], 1)
    last_moves = [replay.entries[start - 1].text.split()[0] for start in replay.turn_starts[1:]]
    assert set(last_moves) <= {"claim", "discard"}


def test_buttons_lead_from_turn_to_turn_and_from_step_to_step() -> None:
    replay = play(GAMES["fortune"], 2)
    start, end = replay.turn_starts[3:5]
    assert end - start > 1, "this turn has several steps"
    assert (replay.previous_turn(start), replay.next_turn(start)) == (replay.turn_starts[2], end)
    assert (replay.previous_turn(start + 1), replay.next_turn(start + 1)) == (start, end)
    assert (replay.turn_at(start), replay.turn_at(end - 1), replay.turn_at(end)) == (4, 4, 5)
    assert (replay.next_turn(replay.turn_starts[-1]), replay.previous_turn(0)) == (replay.last, 0)
    back, on = TURNS[:2], TURNS[2:]
    assert buttons_of(replay, start) == [[*TURNS, ReplayButton.FORWARD]]
    assert buttons_of(replay, start + 1) == [TURNS, [ReplayButton.BACK, ReplayButton.FORWARD]]
    assert buttons_of(replay, 0) == [[*on, ReplayButton.FORWARD]]
    assert buttons_of(replay, replay.last) == [back]


def test_steps_have_no_buttons_if_each_turn_is_one() -> None:
    replay = play(GAMES["magpie"], 2)
    assert len(replay.turn_starts) == replay.last
    assert buttons_of(replay, 1) == [TURNS]


def test_the_menu_names_the_turns_and_their_players() -> None:
    replay = play(GAMES["magpie"], 2)
    menu = render_replay(replay, 1).menus[0]
    assert parse_id(menu.custom_id) == ReplayId(replay.stages[0].id, 1, ReplayButton.TURN)
    names = {replay.stages[0].seats[seat].name for seat in range(2)}
    assert {option.label.split(" ")[-1] for option in menu.options} == names
    (chosen,) = [option for option in menu.options if option.is_chosen]
    assert (chosen.value, re.findall(r"\d+", chosen.label)) == ("2", ["2"])
    first, second = (seat_emoji(seat) for seat in (replay.entries[0].seat, replay.entries[1].seat))
    heading = str(render_replay(replay, 1).text_embed.description).splitlines()[0]
    assert re.findall(r"\d+", heading) == ["1", str(replay.last), "2"]
    assert heading.index(first) < heading.index(second)


def test_the_menu_says_how_many_turns_it_leaves_out() -> None:
    replay = play(GAMES["magpie"], 2, steps=80)
    options = render_replay(replay, 0).menus[0].options
    listed = [int(option.value) for option in options]
    gaps = [after - before - 1 for before, after in zip([0, *listed], listed, strict=False)]
    assert max(gaps) > 1
    assert [option.description.split(" ")[0] for option in options] == [str(gap) if gap else "" for gap in gaps]


def test_in_a_solo_game_turns_have_only_numbers() -> None:
    menu = render_replay(play(GAMES["magic_bag"], 1), 0).menus[0]
    assert re.fullmatch(r"\w+ 1", menu.options[0].label)


def test_the_weightiest_highlight_of_each_turn_is_listed_in_order_and_good_ones_rather_than_bad_ones() -> None:
    replay = play(GAMES["fortune"], 2)
    last_round = next(step for step, stage in enumerate(replay.stages) if stage.state.crosser is not None)
    menu = render_replay(replay, last_round).menus[1]
    assert parse_id(menu.custom_id) == ReplayId(replay.stages[0].id, last_round, ReplayButton.HIGHLIGHT)
    steps = [int(option.value) for option in menu.options]
    turns = [replay.turn_at(step - 1) for step in steps]
    assert (steps, turns, len(steps)) == (list(replay.highlights), sorted(set(turns)), 10)
    found: dict[int, list[tuple[int, bool]]] = {}
    for step in range(1, replay.last + 1):
        if newest := newest_highlight(replay.stages[step]):
            rank = newest.highlight.weight, newest.highlight.is_good
            found.setdefault(replay.turn_at(step - 1), []).append(rank)
    best = {turn: max(ranks) for turn, ranks in found.items()}
    listed = [(found.highlight.weight, found.highlight.is_good) for found in replay.highlights.values()]
    assert listed == [best[turn] for turn in turns]
    assert min(listed) >= max(rank for turn, rank in best.items() if turn not in turns)
    assert max(map(len, found.values())) > 1
    (chosen,) = [option for option in menu.options if option.is_chosen]
    crosser = replay.stages[0].seats[replay.stages[last_round].state.crosser].name
    assert f" {crosser}: " in chosen.label


def test_a_highlight_is_shown_under_the_turn_it_belongs_to() -> None:
    replay = play(GAMES["houdinis_baggage"], 2)
    step = next(step for step, found in replay.highlights.items() if found.highlight.word == gettext("Twin!"))
    assert step in replay.turn_starts, "the twin ended its turn"
    shown = render_replay(replay, step, is_highlight=True)
    turns, highlights = ([option.label for option in menu.options if option.is_chosen] for menu in shown.menus)
    assert turns == [highlights[0].split(":")[0]]
    assert shown.text_embed_json["title"].endswith(f" · {highlights[0]}")
    assert highlights[0] not in render_replay(replay, step).text_embed_json["title"], "the next turn"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_replay_has_no_hints_for_the_player_to_move(game: str) -> None:
    replay = play(GAMES[game], GAMES[game].game.info.least_seats, steps=60)
    for step in range(replay.last):
        shown = render_replay(replay, step)
        assert "👉" not in shown.text_embed_json["description"] + shown.picture_embed_json.get("description", "")


def test_the_first_move_can_be_a_highlight() -> None:
    package = GAMES["magpie"]
    seats = [make_occupant(person, at) for at, person in enumerate((ROBIN, WREN))]
    start = make_table(*seats, status=Status.PLAYING, package=package)
    five = Rolled(0, (1,), (1, 6, 6, 6, 6), (6, 6, 6, 6, 6), Combination.FIVE_OF_A_KIND, 1)
    end = replace(start, news=(MoveNews(0, (five,)),))
    replay = Replay((Entry(1, 0, "1 2 3 4 5", "", None, NOON),), (start, end))
    assert list(replay.highlights) == [1]


def test_in_a_solo_game_highlights_name_nobody() -> None:
    replay = play(GAMES["magic_bag"], 1)
    labels = [option.label for menu in render_replay(replay, 0).menus[1:] for option in menu.options]
    assert all(replay.stages[0].seats[0].name not in label for label in labels)


def test_a_game_of_one_turn_has_no_menu() -> None:
    table = make_table(make_occupant(ROBIN, 1), make_occupant(WREN, 2), status=Status.PLAYING)
    end = apply_control_entry(table, 1, Resign())
    replay = Replay((Entry(1, 1, str(Resign()), "", None, NOON),), (table, end))
    assert end.header.status is Status.FINISHED
    assert render_replay(replay, 0).menus == ()
    assert buttons_of(replay, 0) == [TURNS[2:]]


@each_case(
    "count, current", [(count, current) for count in (1, 25, 26, 60, 600) for current in {1, count // 2 + 1, count}]
)
def test_the_menu_lists_the_turns_nearby_and_some_across_the_game(count: int, current: int) -> None:
    listed = list(listed_turns(count, current))
    assert listed == sorted(set(listed))
    assert len(listed) <= MAX_MENU_LINES
    nearby = {each for each in range(current - 6, current + 7) if 1 <= each <= count}
    assert {1, current, count} | nearby <= set(listed) <= set(range(1, count + 1))
    if count <= MAX_MENU_LINES:
        assert len(listed) == count
