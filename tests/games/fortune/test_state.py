"""Fortune's states: the audit, and that nothing is hidden."""

from typing import Any

from bot.games.fortune.pieces import State
from bot.tools.contract.audits import audit
from tests.games.fortune.positions import CARDS, GAME, NINE_WINS, at, dice, places
from tests.support.each_case import each_case

SOUND = at("captain", "GGMPSKDD", scores="100/-200", returned="gold")
THERE = at("gold", "KKKKMPGD", island=True)
CHEST = at("treasure-chest", "GGMPSKDD", rolls=2, chest="12")


def with_turn(state: State, **changes: Any) -> State:
    return state._replace(turn=state.turn._replace(**changes))


@each_case(
    "state",
    [
        SOUND,
        THERE,
        CHEST,
        at("gold"),
        at("sorceress", "KKKMPGDD"),
        at("storm", "GGMPSKDD", rolls=2),
        at("gold", "GGMPSKDD", scores="0/8100", crosser=1),
        at("gold", "GGMPSKDD", scores="8100/0", crosser=0)._replace(mover=None),
        at("gold", "GGGGGGGG", options=NINE_WINS)._replace(mover=None, nine=1),
    ],
)
def test_a_sound_position_has_no_faults(state: State) -> None:
    assert audit(GAME, state) == ()


FAULTY: list[tuple[str, State]] = [
    ("not two to four seats", SOUND._replace(scores=(100,))),
    ("not two to four seats", SOUND._replace(scores=(100,) * 5)),
    ("the seat to move is not at the table", SOUND._replace(mover=2)),
    ("the seat that crossed the line is not at the table", SOUND._replace(crosser=7)),
    ("a score is no multiple of a hundred", SOUND._replace(scores=(150, 0))),
    ("the cards are not those of the deck", SOUND._replace(returned=())),
    ("the cards are not those of the deck", with_turn(SOUND, card=CARDS["gold"])),
    ("not eight dice, or none before the first roll", with_turn(SOUND, faces=dice("GGMPSKD"), free=places("123457"))),
    ("a die has no such face", with_turn(SOUND, faces=(*dice("GGMPSKD"), 9), free=places("1234578"))),
    ("other dice show skulls", with_turn(SOUND, free=places("1234567"))),
    ("there are dice, but no roll", with_turn(SOUND, rolls=0)),
    ("a chest without its card", with_turn(SOUND, chest=(1,))),
    ("the chest holds no dice of the table", with_turn(CHEST, chest=(9,))),
    ("a spell without a Sorceress", with_turn(SOUND, spell=True)),
    ("a voyage in the middle of a battle", at("sea-battle-2-300", "KKKKMPGD", island=True)),
    ("too many rolls in a Storm", at("storm", "GGMPSKDD", rolls=3)),
    ("too few skulls for the Island", with_turn(SOUND, island=True)),
    ("the turn goes on with three skulls", at("gold", "KKKMPGDD")),
    ("the turn goes on with three skulls", at("sorceress", "KKKKPGDD")),
    ("the voyage goes on without dice to roll", at("gold", "KKKKKKKM", island=True)),
    ("the seat that crossed the line has another turn", SOUND._replace(crosser=0, scores=(8100, 0))),
    ("a seat is above the line, but none crossed it", SOUND._replace(scores=(0, 8100))),
    ("the game is won, but goes on", SOUND._replace(nine=0)),
    ("the winner has no nine of a kind", SOUND._replace(mover=None, nine=0)),
    ("the winner has no nine of a kind", at("gold", "GGGGGGGG")._replace(mover=None, nine=0)),
    ("no seat crossed the line, but the game is over", SOUND._replace(mover=None, scores=(8100, 0))),
    ("no seat is above the line, but the game is over", SOUND._replace(mover=None, crosser=0)),
]


@each_case("fault, state", FAULTY)
def test_the_audit_names_each_fault(fault: str, state: State) -> None:
    assert fault in audit(GAME, state)


def test_the_audit_names_a_single_fault() -> None:
    assert len(audit(GAME, SOUND._replace(nine=0))) == 1
