"""The notation of Mr. Houdini's Baggage."""

from bot.games.houdinis_baggage.cards import Use
from bot.games.houdinis_baggage.pieces import Bank, Keep, Place, Shift, Spot, Take
from tests.games.houdinis_baggage.positions import GAME, at, play_move, player


def test_moves_are_written_as_on_the_rules_page() -> None:
    """HB-12: announcing and placing are one move."""
    assert str(Place(9, Spot(17, 1), (Use(4), Use(9)))) == "place green-square on 17b with 4 9"
    assert str(Shift(Spot(3, 0), Spot(7, 1), Use(12, 30))) == "move 3a to 7b with 12:30"
    assert (str(Keep(3)), str(Bank(12)), str(Take(5))) == ("keep red-star", "bank blue-triangle", "take 5")


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
