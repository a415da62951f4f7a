"""What a table shows to everyone reveals nothing of hidden pieces."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from bot.platform.places import Person
from bot.rules.chance import FastChance
from bot.rules.playout import random_move
from bot.rules.refusals import Refusal
from bot.rules.study import rank_moves
from bot.tables.lobby import make_occupant
from bot.tables.model import Status
from bot.tables.refusals import HostReason, TableFacts
from bot.tables.shown.message import render_hand
from bot.tables.table import Table
from tests.games.change import hidden
from tests.rules.cards_game import PACKAGE, CardSeen, Drawn, redeal_hidden
from tests.support.change_tables import CHANGE
from tests.support.fakes import make_table
from tests.support.rendering import render_game
from tests.support.responses import apply_text
from tests.ui.adapter import without_picture_maker

LONGEST = "\\*" * 32
PEOPLE = tuple(make_occupant(Person(at, LONGEST), at) for at in range(1, 4))
DEALING = FastChance(Random(3))


def play_cards_game() -> Iterator[Table]:
    """A table in which cards are drawn and then played, at every step."""
    table = make_table(*PEOPLE, status=Status.PLAYING, package=PACKAGE)
    yield table
    while (seat := table.header.to_move) is not None:
        *_, last = PACKAGE.game.legal_moves(table.state)
        table = apply_text(table, seat, str(last))
        yield table


def test_private_events_are_not_in_public_news() -> None:
    _, table, *_ = play_cards_game()
    drawn, seen = table.news[0].events
    assert (type(drawn), type(seen)) == (Drawn, CardSeen)
    assert table.recent_events_for(None) == (drawn,)


def test_messages_and_buttons_do_not_depend_on_hidden_cards() -> None:
    differed = 0
    for table in play_cards_game():
        for _ in range(5):
            other = replace(table, state=redeal_hidden(table.state, None, DEALING))
            differed += other.state != table.state
            for draft in (frozenset[int](), frozenset({0})):
                assert without_picture_maker(render_game(table, draft)) == without_picture_maker(
                    render_game(other, draft)
                )
    assert differed > 10


def play_change_game() -> Iterator[Table]:
    """A game of Change at every step, with cards in hands."""
    table = make_table(*PEOPLE, status=Status.PLAYING, package=CHANGE)
    random = FastChance(Random(7))
    while (seat := table.header.to_move) is not None and table.header.step < 150:
        yield table
        table = apply_text(table, seat, str(random_move(CHANGE.game.legal_moves(table.state), random)))


def test_public_texts_name_no_card_before_it_is_played() -> None:
    """CH-M1: texts, buttons and their ids do not depend on the hands and the deck."""
    held = 0
    for table in play_change_game():
        other = replace(table, state=hidden.redeal_hidden(table.state, None, DEALING))
        held += other.state.hands != table.state.hands
        draft = frozenset({0, 1}) if table.header.step % 2 else frozenset[int]()
        assert without_picture_maker(render_game(table, draft)) == without_picture_maker(render_game(other, draft))
    assert held > 50


def test_a_hand_does_not_depend_on_other_hands() -> None:
    """CH-M1."""
    assert CHANGE.words.build_hand_screen is not None
    for table in play_change_game():
        for seat in range(len(table.seats)):
            other = replace(table, state=hidden.redeal_hidden(table.state, seat, DEALING))
            frames = [
                render_hand(each, seat, CHANGE.words.build_hand_screen, frozenset({0, 2, 11}))
                for each in (table, other)
            ]
            assert without_picture_maker(frames[0]) == without_picture_maker(frames[1])


def test_a_hint_does_not_depend_on_other_hands() -> None:
    """CH-M1."""
    for table in (each for each in play_change_game() if each.header.step % 3 == 0):
        seat = table.header.to_move or 0
        states = (table.state, hidden.redeal_hidden(table.state, seat, DEALING))
        one, other = (hint_for(CHANGE.game.view(state, seat), CHANGE.game.legal_moves(state)) for state in states)
        assert one == other


def hint_for(view: Any, moves: Sequence[Any]) -> object:
    """Return what a hint tells."""
    assert CHANGE.mind.evaluate is not None
    assert CHANGE.study.describe_move is not None
    assert CHANGE.study.hints is not None
    if len(moves) == 1:
        return None
    evaluation = CHANGE.mind.evaluate(view, moves)
    best = rank_moves(view, moves, evaluation, CHANGE.mind.key_of, CHANGE.study.describe_move)
    return best, CHANGE.study.hints.explain(view, best, evaluation)


def test_a_revealed_card_cannot_be_taken_back() -> None:
    """The table knows it now, though nothing was rolled or drawn."""
    for table in play_change_game():
        cards = [str(move) for move in CHANGE.game.legal_moves(table.state) if str(move).startswith("card add")]
        if cards and table.header.to_move is not None:
            assert apply_text(table, table.header.to_move, cards[0]).take_back_state is None
            assert apply_text(table, table.header.to_move, "done").take_back_state is not None
            return
    raise AssertionError("no Add card could be played")


def test_a_private_event_cannot_be_taken_back() -> None:
    _, table, *_ = play_cards_game()
    assert table.take_back_state is None


def test_no_text_of_a_table_reveals_a_hand() -> None:
    """CH-M1: a table may be logged, alone or as a fact of a refusal, without revealing its hidden cards."""
    *_, table = play_change_game()
    other = replace(table, state=hidden.redeal_hidden(table.state, None, DEALING))
    assert other.state != table.state
    assert repr(other) == repr(table)
    other = replace(table, news=(), take_back_state=None, numbers=())
    assert str(Refusal(HostReason.NOT_SEATED, TableFacts(other))) == str(
        Refusal(HostReason.NOT_SEATED, TableFacts(table))
    )
