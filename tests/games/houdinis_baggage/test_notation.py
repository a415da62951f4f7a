"""The notation of Mr. Houdini's Baggage."""

import pytest

from bot.games.houdinis_baggage.cards import CARDS, Use
from bot.games.houdinis_baggage.pieces import DONE, OPEN, STOP, Bank, Keep, Move, Place, Shift, Spot, Take
from bot.rules.refusals import CommonReason, Refusal
from tests.games.houdinis_baggage.positions import DECK, GAME, at, play_move, player
from tests.support.each_case import each_case

SPOTS = [Spot(each.number, place) for each in DECK for place in range(len(each.items))]
MOVES: list[Move] = [
    *(OPEN, STOP, DONE),
    *(Take(each.number) for each in DECK),
    *(kind(card) for card in CARDS for kind in (Keep, Bank)),
    *(Place(card, spot) for card in CARDS for spot in SPOTS),
    Place(6, Spot(17, 1), (Use(4), Use(9, 22), Use(36))),
    *(Shift(Spot(1, 0), spot, Use(12)) for spot in SPOTS),
    Shift(Spot(36, 4), Spot(2, 2), Use(3, 14)),
]


def test_every_move_is_read_back_from_its_own_notation() -> None:
    texts = [str(move) for move in MOVES]
    assert len(set(texts)) == len(texts)
    assert [GAME.parse_move(text) for text in texts] == MOVES


def test_moves_are_written_as_on_the_rules_page() -> None:
    """HB-12: announcing and placing are one move."""
    assert str(Place(9, Spot(17, 1), (Use(4), Use(9)))) == "place green-square on 17b with 4 9"
    assert str(Shift(Spot(3, 0), Spot(7, 1), Use(12, 30))) == "move 3a to 7b with 12:30"
    assert (str(Keep(3)), str(Bank(12)), str(Take(5))) == ("keep red-star", "bank blue-triangle", "take 5")


@each_case(
    "text",
    [
        *("", " ", "Open", "open ", " open", "open 1", "opens", "stop\n", "done done", "take", "take 0", "take 100"),
        *("take 01", "take +1", "take ٣", "take one", "take 1 2", "keep", "keep red", "keep red star", "keep Red-star"),
        *("keep star-red", "bank red-hexagon", "place", "place red-star", "place red-star on", "place red-star 1a"),
        *("place red-star on 1", "place red-star on a1", "place red-star on 1f", "place red-star on 1A"),
        *("place red-star on 01a", "place red-star on 100a", "place red-star on 1a with", "place red-star on 1a with "),
        *("place red-star on 1a with 4,9", "place red-star on 1a with 4:", "place red-star on 1a with :4"),
        *("place red-star on 1a with 4:5:6", "place red-star on 1a with 0", "place red-star on 1a with 4  9"),
        *("move 1a to 1b", "move 1a 1b with 4", "move 1a to 1b with", "move 1a to 1b with 4 5", "move 1a to with 4"),
        *("place red-star on 1a with " + "4" * 9999, "x" * 100_000, "\x00", "\ud800"),
    ],
)
def test_nonsense_is_unreadable(text: str) -> None:
    with pytest.raises(Refusal) as raised:
        GAME.parse_move(text)
    assert raised.value.reason is CommonReason.UNREADABLE


def test_a_position_is_written_in_the_words_of_the_notation() -> None:
    state = at(
        player("1 green-triangle - - -; 2", "4 5", bank="red-star blue-circle"),
        player("3", "12"),
        opened="green-square red-triangle",
        row="6 7",
        deck="8",
        spent=(4,),
        discards="red-star red-star",
    )
    assert GAME.encode_position(state) == (
        "place 0 0 green-square,red-triangle 4 "
        "1:green-triangle,-,-,-;2:-,-,-/red-star,blue-circle/4,5 3:-,-,-/-/12 "
        "6,7 8 3441444433444434 0002000000000000 -"
    )


def test_a_position_names_the_end() -> None:
    state = at(player("3; 9"), player("4 red-circle blue-star; 2", "14 15 17 13 5"), mover=1)
    state, _ = play_move(state, "done")
    assert GAME.encode_position(state).startswith("search - 0 - - ")
    assert GAME.encode_position(state).endswith(" target_reached")
