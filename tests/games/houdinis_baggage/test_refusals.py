"""Which moves are refused, and why: rules HB-3 to HB-12 and HB-B4."""

from bot.games.houdinis_baggage.pieces import BaggageReason, Phase
from tests.games.houdinis_baggage.positions import at, player, refusal_reason
from tests.support.each_case import each_case

POSITIONS = {
    "nothing open": at(player("1; 2"), phase=Phase.SEARCH),
    "searching": at(player("1; 2"), opened="red-star", phase=Phase.SEARCH),
    "twin": at(player("1; 2"), opened="red-triangle green-star red-triangle", phase=Phase.TWIN),
    "placing": at(
        player("1; 2 - blue-star -", bank="green-star"),
        player("3; 4", bank="red-star"),
        opened="green-star green-square",
    ),
    "moving": at(player("9 red-circle - -; 17 - - blue-star - -", "12 5")),
    "choosing": at(player("2"), phase=Phase.CHOOSE, row="1 5 6 7 8"),
}

REFUSED = """
nothing open | stop | open_first
searching | place red-star on 2b | search_first
searching | bank red-star | search_first
searching | done | search_first
searching | move 1a to 2b with 4 | search_first
searching | keep red-star | no_twin
searching | take 5 | nothing_to_choose
twin | open | twin
twin | stop | twin
twin | done | twin
twin | place green-star on 2b | twin
twin | take 5 | twin
twin | bank green-star | twin
twin | keep red-star | not_open
placing | open | search_over
placing | stop | search_over
placing | keep green-star | no_twin
placing | take 5 | nothing_to_choose
placing | place red-star on 1d | not_open
placing | place green-star on 1d | no_match
placing | place green-star on 1b | wrong_value
placing | place green-star on 1a | no_match
placing | place green-star on 2b | item_filled
placing | place green-star on 3a | not_your_item
placing | place green-star on 9a | not_your_item
placing | place green-star on 99a | not_your_item
placing | place green-star on 2d | not_your_item
placing | place green-star on 2a with 4 | no_such_bonus
placing | bank green-star | looks_alike
placing | bank green-square | not_in_bank
placing | bank red-star | not_in_bank
moving | place red-square on 9a with 5 | not_open
moving | move 9a to 9b with 12 | move_no_match
moving | move 9b to 17a with 12 | item_empty
moving | move 9a to 17c with 12 | item_filled
moving | move 9a to 9a with 12 | item_filled
moving | move 9a to 9c with 5 | no_such_bonus
moving | move 9a to 9c with 1 | no_such_bonus
moving | move 9a to 9c with 12:1 | no_such_bonus
moving | move 9a to 2a with 12 | not_your_item
moving | move 2a to 9c with 12 | not_your_item
moving | move 9a to 9d with 12 | not_your_item
choosing | done | choose_now
choosing | open | choose_now
choosing | place red-star on 2b | choose_now
choosing | take 10 | not_in_row
"""
CASES = [tuple(line.split(" | ")) for line in REFUSED.strip().splitlines()]


@each_case("position, move, reason", CASES)
def test_a_move_is_refused_for_its_reason(position: str, move: str, reason: str) -> None:
    """HB-3, HB-4, HB-6, HB-7, HB-10, HB-12 and HB-B4."""
    assert refusal_reason(POSITIONS[position], move).reason is BaggageReason(reason)


def test_every_reason_occurs() -> None:
    """Other bonuses are refused in the tests of bonuses. A reason that never occurs would need no sentence."""
    assert {reason for _position, _move, reason in CASES} == {
        reason.value for reason in BaggageReason if reason is not BaggageReason.OTHER_BONUSES
    }
