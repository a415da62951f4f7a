"""What a table shows to everybody tells nothing of hidden pieces."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from bot.rules.chance import FastChance
from bot.tables.model import Person, Status
from bot.tables.table import Table, moved
from bot.tables.wishes import occupant
from bot.ui.frames import game_frame
from tests.rules.cards import PACKAGE, CardSeen, Drawn, elsewise
from tests.support.fakes import a_table

LONGEST = "\\*" * 32
PEOPLE = tuple(occupant(Person(at, LONGEST), at) for at in range(1, 4))
DEALING = FastChance(Random(3))


def played() -> Iterator[Table]:
    """A table in which cards are drawn and then played, at every step."""
    table = a_table(*PEOPLE, status=Status.PLAYING, package=PACKAGE)
    yield table
    while (seat := table.header.to_move) is not None:
        *_, last = PACKAGE.game.moves(table.state)
        table = moved(table, seat, str(last))
        yield table


def test_what_one_seat_alone_may_see_is_no_public_news() -> None:
    _, table, *_ = played()
    (drawn, seen), *_ = table.news
    assert (type(drawn), type(seen)) == (Drawn, CardSeen)
    assert table.latest == (drawn,)


def test_messages_and_buttons_are_the_same_wherever_hidden_cards_lie() -> None:
    differed = 0
    for table in played():
        for _ in range(5):
            other = replace(table, state=elsewise(table.state, None, DEALING))
            differed += other.state != table.state
            for draft in (frozenset[int](), frozenset({0})):
                assert game_frame(table, draft) == game_frame(other, draft)
    assert differed > 10


def test_a_private_event_ends_what_can_be_taken_back() -> None:
    _, table, *_ = played()
    assert table.earlier is None
