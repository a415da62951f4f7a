"""What people see of turns: which are shown, which highlights get a banner, and which moves the news keep."""

from array import array
from dataclasses import replace

from bot.games.fortune.pieces import Sailed, State
from bot.tables.control_entries import ComeBack, Substitute
from bot.tables.highlights import heavy_highlight, is_passing, newest_highlight
from bot.tables.model import Occupant, Status
from bot.tables.table import MoveNews, Table, add_news, apply_control_entry, apply_move, derive_status
from tests.games.fortune.positions import PACKAGE, at, worth
from tests.support.each_case import each_case
from tests.support.fakes import make_table

PEOPLE = (Occupant(name="Ada", user_id=1), Occupant(name="Ben", user_id=2))
AGAINST_COMPUTER = (PEOPLE[0], Occupant(level="normal"))


def table_at(state: State, *seats: Occupant) -> Table:
    """Return a table of Fortune in a position."""
    table = make_table(*seats, status=Status.PLAYING, package=PACKAGE)
    return derive_status(replace(table, state=state, news=()), table.header.step)


def play(table: Table, *moves: str) -> Table:
    for move in moves:
        table = apply_move(table, table.header.to_move or 0, PACKAGE.game.parse_move(move))
    return table


def banner_of(table: Table) -> tuple[int, str, str] | None:
    found = heavy_highlight(table, table.package.game.view(table.state, None))
    return found and (found.seat, found.highlight.word, found.highlight.number)


class TestPassing:
    def test_only_the_middle_of_a_computer_players_turn_is_passed(self) -> None:
        start = table_at(at("gold", "GGGMMPPD", mover=1), *AGAINST_COMPUTER)
        middle = play(start, "roll 4 5")
        over = play(middle, "stop")
        assert [is_passing(each) for each in (start, middle, over)] == [False, True, False]

    def test_a_persons_turn_is_shown_step_by_step(self) -> None:
        assert not is_passing(play(table_at(at("gold", "GGGMMPPD"), *PEOPLE), "roll 4 5"))

    def test_the_position_in_which_a_computer_player_takes_over_is_shown(self) -> None:
        by_person = play(table_at(at("gold", "GGGMMPPD"), *PEOPLE), "roll 4 5")
        taken_over = apply_control_entry(by_person, 1, Substitute(0))
        assert taken_over.header.awaits_computer
        assert not is_passing(taken_over)
        middle = play(taken_over, "roll 4 5")
        assert is_passing(middle)
        assert not is_passing(apply_control_entry(middle, 0, ComeBack()))


SHOWN_MOVES = {
    "a computer player's turn, shown at once": ("1!- 1~", 1),
    "a step of a computer player's turn that people saw before its end": ("1!- 1", None),
    "a computer player's moves that people did not see one by one": ("1- 1!-~ 1-~", 1),
    "only the newest of a person's moves in the middle of a turn": ("0!- 0-", None),
    "a person's newest move": ("0- 0!-", 0),
    "a person's turn once it has ended": ("1! 0!- 0- 0", 0),
    "a person decided in the middle of a turn": ("1!- 0-", None),
    "a computer player has to decide in the middle": ("0!- 1-", None),
    "an earlier turn of a computer player": ("1! 2", None),
    "nothing yet": ("", None),
}
"""The seats of the newest moves; `!` if they brought something big, `-` in the middle of a turn, and `~` if people did
not see the position before them."""


@each_case("name", SHOWN_MOVES)
def test_a_banner_is_about_what_was_shown_last(name: str) -> None:
    moves, seat = SHOWN_MOVES[name]
    table = table_at(at("gold", scores="0/0/0"), PEOPLE[0], Occupant(level="normal"), Occupant(level="normal"))
    news = (
        MoveNews(
            int(move[0]),
            (Sailed(int(move[0]), 4),) * ("!" in move),
            ends_turn="-" not in move,
            from_seen="~" not in move,
        )
        for move in moves.split()
    )
    assert banner_of(replace(table, news=tuple(news))) == (
        None if seat is None else (seat, "To the Island!", "4 skulls")
    )


def test_a_banner_stays_until_the_next_move() -> None:
    """What a bust cost is in the next player's first picture too."""
    table = play(table_at(at("sorceress", "GGGGGGPS"), *PEOPLE), "stop")
    assert table.header.to_move == 1
    assert banner_of(table) == (0, "Big turn!", f"+{worth('sorceress', 'GGGGGGPS'):,}")
    after = banner_of(play(table, "roll 1 2 3 4 5 6 7 8"))
    assert after is not None
    assert after[:2] == (1, "Bust!")


def raced(*turns: tuple[int, int]) -> bytes:
    return array("i", [score for turn in turns for score in turn]).tobytes()


def test_overtaking_the_leader_gets_a_banner_for_the_new_one() -> None:
    table = play(table_at(at("gold", "GGMMPPSD", scores="1200/1100", mover=1), *PEOPLE))
    table = replace(table, race=raced((0, 0), (1200, 0), (1200, 500), (1200, 500), (1200, 1100), (1200, 1100)))
    over = play(table, "stop")
    assert over.state.scores == (1200, 1600)
    assert banner_of(over) == (1, "Takes the lead!", "1,600")
    assert newest_highlight(over) == heavy_highlight(over, over.state)
    assert banner_of(replace(over, seat_status=replace(over.seat_status, resigned=frozenset({1})))) is None


@each_case(
    "moves, turns, least_moves, kept",
    [
        # A capital letter ends a turn.
        ("a", 1, 0, "a"),
        ("aB", 1, 0, "aB"),
        ("aBc", 1, 0, "aBc"),
        ("aBcD", 1, 0, "cD"),
        ("aBcDe", 1, 0, "cDe"),
        ("aBcDeF", 2, 0, "cDeF"),
        ("ABC", 5, 0, "ABC"),
        ("ABC", 1, 5, "ABC"),
        ("ABCD", 1, 3, "BCD"),
        ("aBcDeF", 1, 3, "cDeF"),
        ("aBcD", 1, 3, "aBcD"),
    ],
)
def test_older_turns_are_dropped_once_a_turn_ends(moves: str, turns: int, least_moves: int, kept: str) -> None:
    news: tuple[MoveNews, ...] = ()
    for number, letter in enumerate(moves):
        news = add_news(news, MoveNews(number, (), ends_turn=letter.isupper()), turns=turns, moves=least_moves)
    assert "".join(moves[move.seat] for move in news) == kept
