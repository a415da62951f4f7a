"""What a turn of Fortune allows and brings: rules FO-1 to FO-4, FO-9 to FO-11, and the cards that change them."""

from itertools import combinations

from bot.games.fortune.pieces import (
    STOP,
    CardTurned,
    Ending,
    FortuneReason as Reason,
    Revive,
    Roll,
    Rolled,
    Sailed,
    State,
    TurnEnded,
)
from bot.rules.refusals import DieFacts, Refusal
from tests.games.fortune.positions import ALL, CARDS, GAME, at, dice, places, play, worth
from tests.support.each_case import each_case

MIXED = "GGMMPPSD"
THERE = "KKKKMPGD"
"""Dice on the Island."""

CHEST = at("treasure-chest", "KGGGDMPS")
FILLED = at("treasure-chest", "KGGGDMPS", rolls=2, chest="234")
SAILING = at("gold", THERE, island=True)
PLAIN = "sorceress"
"""A card that changes nothing about the points."""

STOPPED, BUST, ISLAND = Ending.STOPPED, Ending.DISQUALIFIED, Ending.ISLAND


def end_of(state: State, move: str, rolled: str) -> tuple[Ending, int, int]:
    """Make the move that ends a turn, and return how it ended, its points and its toll, as the scores show them."""
    seat = state.mover or 0
    after, events = play(state, move, rolled, then="monkey-business")
    (ended,) = (event for event in events if isinstance(event, TurnEnded))
    changes = [ended.points if other == seat else -ended.toll for other in range(len(state.scores))]
    assert after.scores == tuple(map(sum, zip(state.scores, changes, strict=True)))
    assert after.mover == (seat + 1) % len(state.scores)
    assert events[-1] == CardTurned(after.mover, CARDS["monkey-business"])
    return ended.ending, ended.points, ended.toll


def turn_of(state: State) -> str:
    """Return the turn in notation: card, dice, rolls, chest, spell and Island."""
    return " ".join(GAME.encode_position(state).split(" ")[4:-1])


@each_case(
    "state, move, rolled, after",
    [
        (at("gold"), ALL, MIXED, "gold GGMMPPSD 1 - - -"),
        (at("gold", MIXED), "roll 7 8", "SM", "gold GGMMPPSM 2 - - -"),
        (at("gold", "GGMMPPSM", rolls=2), "roll 1 2 7", "PPP", "gold PPMMPPPM 3 - - -"),  # kept before
        (at("gold", "KKMMPPSD"), "roll 3 4 5 6 7 8", "MMMMMM", "gold KKMMMMMM 2 - - -"),
        # Two skulls are not too many (FO-3), those of the card among them (FO-C7).
        (at("gold"), ALL, "KKMMPPSD", "gold KKMMPPSD 1 - - -"),
        (at("skulls-1"), ALL, "KMMMPPSD", "skulls-1 KMMMPPSD 1 - - -"),
        (at("skulls-2"), ALL, "MMMMPPSD", "skulls-2 MMMMPPSD 1 - - -"),
        # Four on the first roll lead to the Island (FO-9), and a new skull lets the voyage go on.
        (at("gold"), ALL, THERE, "gold KKKKMPGD 1 - - island"),
        (at("skulls-1"), ALL, "KKKMMMPP", "skulls-1 KKKMMMPP 1 - - island"),
        (at("skulls-2"), ALL, "KKMMMMPP", "skulls-2 KKMMMMPP 1 - - island"),
        (SAILING, "roll 5 6 7 8", "MKGG", "gold KKKKMKGG 2 - - island"),
        (SAILING, "roll 5 6 7 8", "KKGG", "gold KKKKKKGG 2 - - island"),
        (at("storm"), ALL, THERE, "storm KKKKMPGD 1 - - island"),
        (at("sorceress"), ALL, THERE, "sorceress KKKKMPGD 1 - - island"),
        # The chest is filled and emptied with each roll (FO-C1).
        (CHEST, "roll 6 7 8 chest 2 3", "MMM", "treasure-chest KGGGDMMM 2 23 - -"),
        (FILLED, "roll 2 3 4 6 7 8 chest 5", "MMMMMM", "treasure-chest KMMMDMMM 3 5 - -"),
        (FILLED, "roll 6 7", "MM", "treasure-chest KGGGDMMS 3 - - -"),
        # The Sorceress frees a skull, even the third (FO-C3).
        (at("sorceress", "KGMMPPSD"), "sorceress 1", "G", "sorceress GGMMPPSD 2 - - -"),
        (at("sorceress", "GKMMPPSD"), "sorceress 2 with 1 7 8", "MPSD", "sorceress MPMMPPSD 2 - - -"),
        (at("sorceress"), ALL, "KKKMPPSD", "sorceress KKKMPPSD 1 - spell -"),
        (at("sorceress", "KKMMPPSD"), "roll 3 4", "KG", "sorceress KKKGPPSD 2 - spell -"),
        (at("sorceress", "KKKMMMGG"), "sorceress 2", "G", "sorceress KGKMMMGG 2 - - -"),
        (at("sorceress", "KKMMPPSD"), "sorceress 1", "K", "sorceress KKMMPPSD 2 - - -"),
    ],
)
def test_a_turn_goes_on(state: State, move: str, rolled: str, after: str) -> None:
    """FO-2, FO-3, FO-9, FO-C1, FO-C3, FO-C7 and FO-C8."""
    found, _ = play(state, move, rolled)
    assert (turn_of(found), found.mover, found.scores) == (after, state.mover, state.scores)


@each_case(
    "state, move, rolled, end",
    [
        # Three skulls on the first roll (FO-10), or any later number (FO-3).
        (at("gold", scores="700/400"), ALL, "KKKMMPPS", (BUST, 0, 0)),
        (at("skulls-1"), ALL, "KKMMMPPS", (BUST, 0, 0)),
        (at("skulls-2"), ALL, "KMMMMPPS", (BUST, 0, 0)),
        (at("captain"), ALL, "KKKMMMMM", (BUST, 0, 0)),
        (at("gold", "KKMMPPSD", scores="700/200"), "roll 7 8", "KG", (BUST, 0, 0)),
        (at("gold", "KMMMPPSD"), "roll 7 8", "KK", (BUST, 0, 0)),
        (at("skulls-1", "KMMMPPSD"), "roll 7 8", "KG", (BUST, 0, 0)),
        (at("skulls-2", "MMMMPPSD"), "roll 7 8", "KG", (BUST, 0, 0)),
        (at("gold", MIXED), "roll 1 2 3 4 5 6", "KKKKGG", (BUST, 0, 0)),  # no Island on a later roll
        (at("gold", MIXED), "roll 1 2 3 4 5 6", "KKKKKK", (BUST, 0, 0)),
        # Stopping scores the dice (FO-4), below zero, too (FO-11).
        (at("captain", "GGGMPSKK", scores="100/0/0", mover=2), "stop", "", (STOPPED, worth("captain", "GGGMPSKK"), 0)),
        (at("truce", "SSSMMPPK", scores="500/0"), "stop", "", (STOPPED, worth("truce", "SSSMMPPK"), 0)),
        (
            at("treasure-chest", "GGGGDDDD", rolls=2, chest="12"),
            "stop",
            "",
            (STOPPED, worth("treasure-chest", "GGGGDDDD"), 0),
        ),
        # A voyage ends without a new skull, with fewer than two dice, or at will (FO-9, FO-C2 and FO-C8).
        (at("gold", THERE, scores="100/200/1000", island=True), "roll 5 6 7 8", "GGGG", (ISLAND, 0, 400)),
        (at("gold"), ALL, "KKKKKKKM", (ISLAND, 0, 700)),
        (at("gold"), ALL, "KKKKKKKK", (ISLAND, 0, 800)),
        (at("skulls-2"), ALL, "KKKKKKKM", (ISLAND, 0, 900)),
        (at("gold", "KKKKKKMP", island=True), "roll 7 8", "KK", (ISLAND, 0, 800)),
        (at("gold", "KKKKKKMP", island=True), "roll 7 8", "KG", (ISLAND, 0, 700)),
        (at("diamond", "KKKKDDDD", island=True), "stop", "", (ISLAND, 0, 400)),
        (at("skulls-2", "KKMMMMPP", scores="0/1000/0", island=True), "stop", "", (ISLAND, 0, 400)),
        (at("captain", "KKKKDDDD", scores="0/0/300", island=True), "roll 5 6 7 8", "MMMM", (ISLAND, 0, 800)),
        (at("truce", "KKKKSSSS", island=True), "stop", "", (ISLAND, 0, 400)),  # swords cost nothing there
        (at("storm", THERE, island=True), "roll 5 6 7 8", "KKMM", (ISLAND, 0, 600)),
        # What lies in the chest is saved, without a full chest (FO-C1).
        (
            at("treasure-chest", "KGGGDMPS", scores="1000/0"),
            "roll 6 7 8 chest 2 3 4 5",
            "KKG",
            (BUST, worth(PLAIN, "GGGD"), 0),
        ),
        (CHEST, "roll 6 7 8 chest 2", "KKG", (BUST, worth(PLAIN, "G"), 0)),
        (CHEST, "roll 6 7 8", "KKG", (BUST, 0, 0)),
        (at("treasure-chest", "KKGGGDDD"), "roll 3 4 chest 5 6 7 8", "KK", (BUST, worth(PLAIN, "GDDD"), 0)),
        # The Sorceress helps once, with a single skull too many, and not with the first roll's fourth (FO-C3).
        (at("sorceress", "KKKMMMGG"), "stop", "", (BUST, 0, 0)),
        (at("sorceress", "KKKMMMGG"), "sorceress 1", "K", (BUST, 0, 0)),
        (at("sorceress", "KKKMMMGG"), "sorceress 1 with 4 5", "GKM", (BUST, 0, 0)),
        (at("sorceress", "KKMMPPSD"), "roll 3 4", "KK", (BUST, 0, 0)),
        (at("sorceress", "KKMMPPSD"), "sorceress 1 with 3 4 5 6", "KKKKK", (BUST, 0, 0)),
        # A lost battle costs its bonus, and has no Island (FO-C4).
        (at("sea-battle-2-300", "KKSSSSGG", scores="2000/0"), "roll 7 8", "KG", (BUST, -300, 0)),
        (at("sea-battle-3-500", "KKSSSSGG"), "roll 7 8", "KG", (BUST, -500, 0)),
        (at("sea-battle-4-1000", "KKSSSSGG"), "roll 7 8", "KG", (BUST, -1000, 0)),
        (at("sea-battle-3-500"), ALL, "KKKSSSSG", (BUST, -500, 0)),
        (at("sea-battle-3-500", scores="0/300"), ALL, "KKKKSSSS", (BUST, -500, 0)),
        (at("sea-battle-3-500"), ALL, "KKKKKKKK", (BUST, -500, 0)),
        # A bust under a Truce costs nothing (FO-C9).
        (at("truce", "KKSSSSGG", scores="100/0"), "roll 7 8", "KG", (BUST, 0, 0)),
    ],
)
def test_a_turn_ends(state: State, move: str, rolled: str, end: tuple[Ending, int, int]) -> None:
    """FO-3, FO-4, FO-9 to FO-11, FO-C1 to FO-C4 and FO-C7 to FO-C9."""
    assert end_of(state, move, rolled) == end


@each_case(
    "state, move, rolled, event",
    [
        (at("gold"), ALL, MIXED, Rolled(0, places("12345678"), dice(MIXED))),
        (at("sorceress", "KGMMPPSD"), "sorceress 1", "G", Rolled(0, (1,), dice("GGMMPPSD"), revived=1)),
        (
            at("sorceress", "GKMMPPSD"),
            "sorceress 2 with 1 7 8",
            "MPSD",
            Rolled(0, places("1278"), dice("MPMMPPSD"), revived=2),
        ),
        (at("gold"), ALL, THERE, Sailed(0, 4)),
        (at("skulls-2"), ALL, "KKMMMMPP", Sailed(0, 4)),
    ],
)
def test_events_say_what_was_rolled_and_who_sailed(state: State, move: str, rolled: str, event: object) -> None:
    """FO-2, FO-9 and FO-C3."""
    _, events = play(state, move, rolled)
    assert events[-1] == event


@each_case(
    "state, count",
    [
        (at("gold"), 1),
        (at("gold", "KKMMPPSD"), 2**6 - 1 - 6 + 1),  # two or more of six, or stop
        (SAILING, 2),
        (at("storm", "GGGDDMPK"), 2**7 - 1 - 7 + 1),
        (at("storm", "GGGDDMPK", rolls=2), 1),
        (at("storm", THERE, rolls=2, island=True), 2),
        # Each free die is rolled, in the chest, or neither; two at least are rolled.
        (CHEST, 3**7 - 2**7 - 7 * 2**6 + 1),
        # Either skull with any of six dice, or a usual roll.
        (at("sorceress", "KGKMPPSD"), 2 * 2**6 + 2**6 - 1 - 6 + 1),
        (at("sorceress", "KGKMPPSD", spell=False), 2**6 - 1 - 6 + 1),
        (at("sorceress", "KKKMPPSD"), 3 * 2**5 + 1),
    ],
)
def test_there_are_so_many_moves(state: State, count: int) -> None:
    """FO-2, FO-4, FO-9, FO-C1, FO-C3 and FO-C8."""
    moves = GAME.legal_moves(state)
    assert len(set(moves)) == len(moves) == count
    assert (STOP in moves) == bool(state.turn.faces)


def test_moves_begin_with_the_fewest_dice_and_end_with_stopping() -> None:
    """FO-2, FO-C1 and FO-C3."""
    rolls = [Roll(chosen) for count in range(2, 8) for chosen in combinations(range(2, 9), count)]
    assert list(GAME.legal_moves(at("gold", "KGMMPPSD"))) == [*rolls, STOP]
    assert list(GAME.legal_moves(SAILING)) == [Roll(places("5678")), STOP]
    chests = [move for move in GAME.legal_moves(CHEST) if move != STOP]
    assert chests[0] == Roll(places("23"), places("45678"))
    assert {Roll(places("67"), places("38")), Roll(places("67"))} < set(chests)
    spells = [move for move in GAME.legal_moves(at("sorceress", "KGKMPPSD")) if isinstance(move, Revive)]
    assert (spells[0], spells[-1]) == (Revive(1), Revive(3, places("245678")))


@each_case(
    "state, refused",
    [
        (
            at("sorceress"),
            dict.fromkeys(
                ("roll 1 2 3 4 5 6 7", "roll 1 2", "stop", "sorceress 1", f"{ALL} chest 1"), Reason.FIRST_ROLL
            ),
        ),
        (
            at("gold", "KGMMPPSD"),
            {
                "roll": Reason.TOO_FEW_DICE,
                "roll 2": Reason.TOO_FEW_DICE,
                "roll 1": (Reason.SKULL_STAYS, 1),
                "roll 1 2": (Reason.SKULL_STAYS, 1),
                "roll 2 9": (Reason.NO_SUCH_DIE, 9),
                "roll 0 2": (Reason.NO_SUCH_DIE, 0),
                "roll 3 3": (Reason.DIE_TWICE, 3),
                "roll 2 3 chest 4": Reason.NO_CHEST,
                "sorceress 1": Reason.NO_SORCERESS,
            },
        ),
        (SAILING, {"roll 5 6": Reason.WHOLE_CREW, "roll 5 6 7": Reason.WHOLE_CREW}),
        (
            CHEST,
            {
                "roll 6 7 chest 1": (Reason.SKULL_IN_CHEST, 1),
                "roll 6 7 chest 6": (Reason.ROLLED_FROM_CHEST, 6),
                "roll 6 7 chest 2 2": (Reason.DIE_TWICE, 2),
                "roll 6 7 chest 2 9": (Reason.NO_SUCH_DIE, 9),
                "roll 6 chest 2": Reason.TOO_FEW_DICE,
            },
        ),
        (at("treasure-chest", THERE, island=True), {"roll 5 6 7 8 chest 1": Reason.NO_CHEST}),
        (
            at("sorceress", "KKMMPPSD"),
            {
                "sorceress 3": (Reason.NOT_A_SKULL, 3),
                "sorceress 9": (Reason.NO_SUCH_DIE, 9),
                "sorceress 1 with 2": (Reason.SKULL_STAYS, 2),
                "sorceress 1 with 1": (Reason.DIE_TWICE, 1),
                "sorceress 1 with 3 3": (Reason.DIE_TWICE, 3),
            },
        ),
        (at("sorceress", "KKMMPPSD", spell=False), {"sorceress 1": Reason.SPELL_USED}),
        (at("sorceress", "KKKMPPSD"), {"roll 4 5": Reason.THIRD_SKULL}),
        (at("sorceress", THERE, island=True), {"sorceress 1": Reason.NO_SPELL_ON_ISLAND}),
        (at("storm", MIXED, rolls=2), {"roll 1 2": Reason.NO_ROLLS_LEFT}),
    ],
)
def test_a_move_that_is_not_allowed_is_refused(state: State, refused: dict[str, Reason | tuple[Reason, int]]) -> None:
    """FO-2, FO-3, FO-9, FO-C1, FO-C3 and FO-C8: with the number of the die that is wrong."""
    wanted = {
        move: Refusal(why) if isinstance(why, Reason) else Refusal(why[0], DieFacts(why[1]))
        for move, why in refused.items()
    }
    assert {move: GAME.check(state, 0, GAME.parse_move(move)) for move in refused} == wanted


def test_dice_out_of_order_are_refused() -> None:
    assert GAME.check(at("gold", MIXED), 0, Roll((3, 1))) == Refusal(Reason.OUT_OF_ORDER)
