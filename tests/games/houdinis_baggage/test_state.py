"""Positions of Mr. Houdini's Baggage: what the audit finds, and that nothing is secret."""

from typing import Any

from bot.games.houdinis_baggage.cards import add_to_pile, remove_from_pile
from bot.games.houdinis_baggage.pieces import BaggageEnd, Phase, State, Task
from bot.tools.contract.audits import audit
from tests.games.houdinis_baggage.positions import BOX, GAME, at, cards, parse_assignments, player
from tests.support.each_case import each_case

SOUND = at(player("1 green-triangle - - -; 2", "4 5", bank="red-star blue-star"), player("3; 9"), opened="green-square")
SHARED = ("14 15 17 13", "18 16 19 1 20", "2 3 4 5 6 7 8 9 10 11 12")
RED_STAR = cards("red-star")[0]


def with_player(state: State, seat: int = 0, **changes: Any) -> State:
    players = list(state.players)
    players[seat] = players[seat]._replace(**changes)
    return state._replace(players=tuple(players))


def make_finished_game(end: BaggageEnd | None = BaggageEnd.TARGET_REACHED, completed: str = "14 15 17 13 5 4") -> State:
    return at(player("1; 2", completed), player("3; 9"), end=end)._replace(mover=None)


@each_case(
    "state",
    [
        SOUND,
        SOUND._replace(spent=(4, 5)),
        at(player("1; 2"), opened="red-star blue-star red-star", phase=Phase.TWIN),
        at(player("4 red-circle blue-star; 2"), player("3; 9")),
        at(player("1"), player("3; 9"), phase=Phase.CHOOSE, row="5 6 7 8"),
        make_finished_game(),
        at(player("1; 2"), player("3; 9", "14 15 17 13 19"), end=BaggageEnd.TARGET_REACHED),
        at(*map(player, [""] * 3, SHARED), row="", deck="", end=BaggageEnd.NOTHING_LEFT),
    ],
)
def test_a_sound_position_has_no_faults(state: State) -> None:
    assert audit(GAME, state) == ()


FAULTY: list[tuple[str, State]] = [
    ("not four copies of each card", SOUND._replace(baggage=remove_from_pile(SOUND.baggage, RED_STAR))),
    ("not four copies of each card", SOUND._replace(open=())),
    ("not four copies of each card", with_player(SOUND, bank=())),
    ("not four copies of each card", SOUND._replace(discards=add_to_pile(SOUND.discards, (RED_STAR,)))),
    (
        "a pile has an impossible count",
        SOUND._replace(
            baggage=(*SOUND.baggage[:RED_STAR], -1, *SOUND.baggage[RED_STAR + 1 :]),
            discards=add_to_pile(SOUND.discards, (RED_STAR,) * 4),
        ),
    ),
    ("a pile does not count every card", SOUND._replace(discards=(*SOUND.discards, 0))),
    ("open cards look alike", at(player("1; 2"), opened="red-star red-star")),
    ("open cards look alike", at(player("1; 2"), opened="red-star blue-star", phase=Phase.TWIN)),
    ("a bank is not sorted", with_player(SOUND, bank=tuple(reversed(SOUND.players[0].bank)))),
    ("not every assignment once", SOUND._replace(deck=SOUND.deck[1:])),
    ("not every assignment once", with_player(SOUND, completed=parse_assignments("4 5 3"))),
    ("items and cards differ in number", with_player(SOUND, seat=1, tasks=(Task(BOX[2], (None,) * 4),))),
    ("a filled assignment is not completed", at(player("1; 2"), player("4 red-circle blue-star; 3"))),
    (
        "a filled assignment is not completed",
        at(player("4 red-circle blue-star; 2"), phase=Phase.SEARCH),
    ),
    ("a seat has more than two unfinished assignments", at(player("1; 2; 3"))),
    ("the row is not refilled", SOUND._replace(row=SOUND.row[1:], deck=(SOUND.row[0], *SOUND.deck))),
    ("a seat chooses but can't", at(player("1; 2"), phase=Phase.CHOOSE)),
    ("a seat chooses but can't", at(player("1"), phase=Phase.CHOOSE, row="", deck="")),
    ("the seat to move is not at the table", SOUND._replace(mover=2)),
    ("the seat to move is not at the table", SOUND._replace(mover=-1)),
    ("the seat to move is not at the table", SOUND._replace(mover=2, phase=Phase.CHOOSE)),
    ("a bonus was used twice", SOUND._replace(spent=(4, 4))),
    ("a bonus was used that the mover lacks", SOUND._replace(spent=(9,))),
    ("a bonus was used that the mover lacks", SOUND._replace(spent=(4,), mover=1)),
    ("cards are open after the end", make_finished_game()._replace(open=(RED_STAR,))),
    ("nothing can be opened", at(phase=Phase.SEARCH)._replace(baggage=(0,) * 16)),
    ("the target is reached, but the game goes on", at(player("1; 2", "14 15 17 13 5 4"))),
    ("the target is not reached", SOUND._replace(end=BaggageEnd.TARGET_REACHED)),
    ("there are assignments left", SOUND._replace(end=BaggageEnd.NOTHING_LEFT)),
    ("there are assignments left", at(player(""), player("3"), row="", deck="", end=BaggageEnd.NOTHING_LEFT)),
    ("there is no seat to move, but the game goes on", at()._replace(mover=None)),
]


@each_case("fault, state", FAULTY)
def test_the_audit_names_each_fault(fault: str, state: State) -> None:
    assert fault in audit(GAME, state)


def test_the_audit_names_a_single_fault() -> None:
    assert len(audit(GAME, SOUND._replace(spent=(4, 4)))) == 1
