"""Computer players say something at the start, after a big turn and at the end, and otherwise hold their tongues."""

from random import Random

import pytest

from bot.rules.chance import FastChance
from bot.rules.game import visible_events
from bot.rules.playout import random_move
from bot.rules.race import count_turns
from bot.rules.story import Highlight
from bot.tables import lobby
from bot.tables.control_entries import TakeBack
from bot.tables.model import Occupant, Status
from bot.tables.remarks import SILENCE, Occasion, Remark, words_of
from bot.tables.shown.links import count_letters
from bot.tables.shown.story_line import LETTERS_IN_LINE, tell_remark
from bot.tables.table import Table, apply_control_entry, apply_move
from tests.support.each_case import each_case
from tests.support.fakes import ROBIN, make_table
from tests.support.games import load_games_once

GAMES = {key: package for key, package in load_games_once().items() if package.game.info.most_seats > 1}
COMPUTERS = (Occupant(level="strong"), Occupant(level="easy"))
ROLL = "roll 1 2 3 4 5"


def start(key: str, *seats: Occupant) -> Table:
    people = (lobby.make_occupant(ROBIN, 1),)
    return make_table(*people, *seats, status=Status.PLAYING, package=GAMES[key])


def newest_of(table: Table) -> Remark | None:
    return max(table.remarks, key=lambda remark: remark.turn, default=None)


@pytest.mark.parametrize("key", GAMES)
def test_no_computer_player_speaks_twice_in_five_turns_or_on_a_bust(key: str) -> None:
    package, random = GAMES[key], Random(key)
    seats, occasions = 1 + len(COMPUTERS), set[Occasion]()
    narration = package.words.narration
    assert narration is not None
    for _game in range(4):
        table, chance = start(key, *COMPUTERS), FastChance(random)
        turn: list[Highlight] = []
        while (mover := table.header.to_move) is not None:
            before = table
            table = apply_move(before, mover, random_move(package.game.legal_moves(before.state), chance))
            view = package.game.view(table.state, None)
            if found := narration.highlight(view, visible_events(None, table.news[-1].events)):
                turn.append(found)
            for said in set(table.remarks) - set(before.remarks):
                last = next((each for each in before.remarks if each.seat == said.seat), None)
                assert last is None or said.turn - last.turn >= SILENCE * seats
                assert table.seats[said.seat].is_computer
                assert all(each.is_good for each in turn) or table.outcome is not None
                occasions.add(said.occasion)
            if table.news[-1].ends_turn:
                turn.clear()
        assert table.outcome is not None
        closing = newest_of(table)
        if closing is not None and closing.turn == count_turns(table.race, seats):
            has_person_won = 0 in table.outcome.winners
            assert closing.occasion is (Occasion.LOST if has_person_won else Occasion.WON)
    assert occasions & {Occasion.LUCK, Occasion.MOMENT}


def test_the_first_computer_player_opens_and_is_named() -> None:
    table = start("magpie", *COMPUTERS)
    assert [(remark.seat, remark.occasion) for remark in table.remarks] == [(1, Occasion.START)]
    told = tell_remark(table)
    assert told.startswith("Vesper")
    assert words_of(table.remarks[0], "strong", table.header.salt) in told
    assert tell_remark(apply_move(table, table.header.to_move or 0, table.package.game.parse_move(ROLL))) == ""
    assert make_table(status=Status.PLAYING).remarks == ()


def test_a_remark_is_taken_back_with_its_move() -> None:
    table = start("houdinis_baggage", *COMPUTERS)
    chance = FastChance(Random(1))
    for _step in range(400):
        if table.header.to_move is None:
            table = start("houdinis_baggage", *COMPUTERS)
        if table.take_back_state is not None:
            seat, remarks = table.take_back_state.seat, table.take_back_state.remarks
            assert apply_control_entry(table, seat, TakeBack()).remarks == remarks
        moves = table.package.game.legal_moves(table.state)
        table = apply_move(table, table.header.to_move or 0, random_move(moves, chance))


@each_case("level", ["easy", "normal", "strong"])
def test_words_fit_beside_a_name_and_alternate(level: str) -> None:
    for occasion in Occasion:
        said = [words_of(Remark(1, occasion, 0, number), level, "") for number in range(5)]
        assert len(set(said)) == 5
        assert max(map(count_letters, said)) <= LETTERS_IN_LINE - len("Vesper: ")
        assert words_of(Remark(1, occasion, 0), level, "00000001") == said[1]
