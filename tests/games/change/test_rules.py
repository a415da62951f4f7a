"""The rules of Change, each with its cases (`positions.cases`): turns, cards, sets and the end."""

from dataclasses import astuple

from bot.games.change.moves import Choose, Move
from bot.games.change.pieces import CardPlayed, CardsSeen, ChangeEnd, ChangeOptions, ChangeReason, GameEvent
from bot.rules.refusals import CommonReason, Refusal
from tests.games.change.positions import (
    BOARD,
    GAME,
    at,
    bottom,
    cards,
    cases,
    keys,
    legal,
    notate,
    play_moves,
    play_step,
    read,
)
from tests.support.each_case import each_case

TURNS = """
CH-3: the Ragz walks the sum clockwise, and passing Start does nothing
    120@0 / 120@0 -> roll: 12 -> 120@3 / 120@0 · 0 corner
    120@30 / 120@0 -> roll: 12 -> 125@1 / 120@0 · 0 free challenge
    120@31 / 120@0 -> roll: 65 -> 130@10 / 120@0 · 0 free challenge
    120@21 / 120@0 -> roll: 64 -> 145@31 / 120@0 · 0 free challenge
CH-3: the turn passes to the next seat
    120@3 / 120@0 / 120@0 · 2 free -> done -> 120@3 / 120@0 / 120@0 · 0 roll
CH-4: doubles lead to Start, a card and the end of the turn; nobody releases on the space of the sum
    120@1 / 120@0 desires · top greed -> roll: 22 -> 120@0 [greed] / 120@0 desires · 1 roll
CH-5, CH-9, CH-10: every marker releases, a lander without one receives, whatever others release
    120@0 / 100@0 desires / 90@0 greed / 80@0 desires greed
        -> roll: 41 -> 125@5 / 95@0 desires / 90@0 greed / 75@0 desires greed · 0 free challenge
CH-5, CH-6: a lander with a marker releases, and has no challenge
    120@0 desires / 100@0 -> roll: 41 -> 115@5 desires / 100@0 · 0 free
CH-5, CH-8: an option move lands, too
    120@3 / 100@0 denial · 0 free -> option denial: 666 66 6 -> 145@29 denial / 75@0 denial · 1 roll
CH-5, CH-12: all changes of a landing happen at once
    120@0 / 5@0 desires / 3@0 desires -> roll: 41 -> 125@5 / 0@0 desires / 0@0 desires · 0 over travelled
CH-6: the largest of three, two and one dice make 13 or more
    120@0 / 120@0 -> roll: 41, challenge: 512 43 4 -> 125@5 desires / 120@0 · 0 free
    120@0 / 120@0 -> roll: 41, challenge: 261 15 2 -> 125@5 desires / 120@0 · 0 free
    120@0 / 120@0 -> roll: 41, challenge: 666 66 6 -> 125@5 desires / 120@0 · 0 free
CH-6: or less
    120@0 / 120@0 -> roll: 41, challenge: 152 34 3 -> 125@5 / 120@0 · 0 free missing 1
    120@0 / 120@0 -> roll: 41, challenge: 333 33 3 -> 125@5 / 120@0 · 0 free missing 4
    120@0 / 120@0 -> roll: 41, challenge: 111 11 1 -> 125@5 / 120@0 · 0 free missing 10
CH-6: any other move skips it
    120@0 / 120@0 -> roll: 41, option habits: 111 11 1 -> 130@1 / 120@0 · 1 roll
CH-6: the last marker can be won
    120@24 ELEVEN / 120@0 -> roll: 41 -> 145@29 ELEVEN / 120@0 · 0 free challenge
CH-6: not without markers left; with nothing to do the turn is over
    120@24 TWELVE / 120@0 -> roll: 41 -> 145@29 TWELVE / 120@0 · 1 roll
CH-7: Add cards help a failed challenge, one or several, if they suffice
    120@0 [add-2] / 120@0 -> roll: 41, challenge: 412 41 3, card add-2 -> 125@5 desires / 120@0 · 0 free
    120@0 [add-5] / 120@0 -> roll: 41, challenge: 412 41 3, card add-5 -> 125@5 desires / 120@0 · 0 free
    120@0 [add-1 add-1] / 120@0
        -> roll: 41, challenge: 412 41 3, card add-1, card add-1 -> 125@5 desires / 120@0 · 0 free
    120@0 [add-1 add-3] / 120@0
        -> roll: 41, challenge: 412 41 3, card add-1, card add-3 -> 125@5 desires / 120@0 · 0 free
    120@0 [add-1] / 120@0 -> roll: 41, challenge: 412 41 3, card add-1 -> 125@5 / 120@0 · 0 free missing 1
CH-7: after an option move, too
    120@3 [add-2] / 120@0 · 0 free -> option greed: 412 41 3, card add-2 -> 130@6 greed / 120@0 · 1 roll
CH-8: its challenge follows at once; after a failure without cards the turn is over
    120@0 / 120@0 -> roll: 41, challenge: 512 43 4, option greed: 412 41 3 -> 135@6 desires / 120@0 · 1 roll
CH-8, CH-12: it may end the game before the challenge
    120@5 / 10@0 greed · 0 free challenge -> option greed -> 130@6 / 0@0 greed · 0 over travelled
CH-9: any number of players may have a marker on a space
    120@3 / 120@0 greed / 120@0 greed · 0 free
        -> option greed: 666 66 6 -> 130@6 greed / 110@0 greed / 110@0 greed · 1 roll
CH-10: no more is released than there is
    120@0 / 3@0 desires -> roll: 41 -> 125@5 / 0@0 desires · 0 over travelled
"""

SETS_AND_END = """
CH-11: the marker that fills a set doubles the next landing there, not its own
    120@0 habits excuses / 120@0 · sets
        -> roll: 41, challenge: 666 66 6, done, roll: 41 -> 115@5 habits excuses desires / 125@5 · 1 free challenge
CH-11: two of three are no set
    120@0 habits desires / 120@0 · sets -> roll: 41 -> 115@5 habits desires / 120@0 · 0 free
CH-11: the lander releases double, too
    120@0 habits excuses desires / 120@0 · sets -> roll: 41 -> 110@5 habits excuses desires / 120@0 · 0 free
CH-11: not without sets
    120@0 habits excuses desires / 120@0 -> roll: 41 -> 115@5 habits excuses desires / 120@0 · 0 free
CH-11: several may own the same set
    120@0 / 100@9 greed gossip envy / 80@7 greed gossip envy · sets
        -> roll: 42 -> 130@6 / 80@9 greed gossip envy / 60@7 greed gossip envy · 0 free challenge
CH-12: no credits end the game before a challenge or anything else
    5@0 desires [greed] / 120@0 -> roll: 41 -> 0@5 desires [greed] / 120@0 · 0 over travelled
CH-12: whose last credits they are does not matter, nor by whose move they go
    120@3 [any] / 20@0 denial · 0 free -> card any denial -> 145@29 / 0@0 denial · 0 over travelled
CH-12: an open corner or a failed challenge is forgotten
    10@3 / 120@0 · 0 corner -> choose myself -> 0@3 / 120@0 · 0 over travelled
    120@5 [any] / 10@0 greed · 0 free missing 3 -> card any greed -> 130@6 / 0@0 greed · 0 over travelled
"""

CARDS = """
CH-M1: a sixth card is not drawn
    120@0 [FIVE] / 120@0 -> roll: 22 -> 120@0 [FIVE] / 120@0 · 1 roll
CH-M1: as many are drawn as there is room for
    120@28 [add-1 add-2 add-3 add-4] / 120@0 · 0 corner top greed any
        -> choose 1, choose denial -> 120@28 [add-1 add-2 add-3 add-4 greed] / 120@29 denial · 0 free
CH-M1: a seat that holds any card is asked, or the end of its turn would tell about its hand
    120@3 [add-1] / 120@0 · 0 free -> option greed: 666 66 6 -> 130@6 greed [add-1] / 120@0 · 0 free travelled
    120@3 [replace-3] / 120@0 · 0 free
        -> option greed: 666 66 6 -> 130@6 greed [replace-3] / 120@0 · 0 free travelled
    120@3 [greed] / 120@0 · 0 free -> option greed: 666 66 6 -> 130@6 greed [greed] / 120@0 · 0 free travelled
CH-M2: any number in a turn, one at a time
    120@0 [add-1 add-2 any] / 120@0
        -> roll: 41, challenge: 411 41 2, card add-1, card add-2, card any greed -> 135@6 desires / 120@0 · 1 roll
CH-M2: a card gives up an open challenge
    120@0 [replace-1 any] / 120@0 · top fear -> roll: 41, card replace-1 any -> 125@5 [fear] / 120@0 · 0 free
CH-M2, CH-7: Add cards drawn after a failed challenge still help
    125@5 [replace-1 greed] / 120@0 · 0 free missing 2 top add-2
        -> card replace-1 greed, card add-2 -> 125@5 desires / 120@0 · 0 free
CH-M3: as many are drawn as were replaced, and the option move is still open
    120@3 [add-1 replace-3 greed any] / 120@0 · 0 free top add-5 add-4 add-3
        -> card replace-3 any add-1 greed -> 120@3 [add-3 add-4 add-5] / 120@0 · 0 free
CH-M4: without a marker there it costs, and one may be placed without a challenge, or not
    120@3 [greed] / 120@0 greed · 0 free -> card greed place -> 130@6 greed / 110@0 greed · 1 roll
    120@3 [greed] / 120@0 greed · 0 free -> card greed -> 130@6 / 110@0 greed · 1 roll
CH-M4: with a marker there it releases
    120@3 greed [greed] / 120@0 · 0 free -> card greed -> 110@6 greed / 120@0 · 1 roll
CH-M4: also without markers left
    120@3 TWELVE [denial] / 120@0 · 0 free -> card denial -> 145@29 TWELVE / 120@0 · 1 roll
CH-M4: the blank card leads to the space where the Ragz stands, too
    120@5 greed [any] / 120@0 · 0 free -> card any desires place -> 125@5 desires greed / 120@0 · 1 roll
CH-M4, CH-12: a landing that ends the game places nothing
    120@3 [greed] / 10@0 greed · 0 free -> card greed place -> 130@6 / 0@0 greed · 0 over travelled
"""


@each_case("rule, position, moves, after", cases(TURNS + SETS_AND_END + CARDS))
def test_turns_go_on_as_the_rules_say(rule: str, position: str, moves: str, after: str) -> None:
    """CH-3, CH-4, CH-5, CH-6, CH-7, CH-8, CH-9, CH-10, CH-11, CH-12, CH-M1, CH-M2, CH-M3 and CH-M4."""
    assert notate(play_moves(read(position), moves)) == after, rule


UNDER_THE_DECK = """
CH-M1: the lowest cards, the lowest last
    120@3 [add-1 greed] / 120@0 · 0 free -> card greed place -> greed
    120@3 [add-1 replace-3 greed any] / 120@0 · 0 free -> card replace-3 any add-1 greed -> replace-3 any add-1 greed
    120@0 [greed any] / 120@0 [add-1] -> roll: 13, choose myself, replace greed -> greed
    120@0 / 120@0 [envy any] / 120@0 [pride blame] -> roll: 13, choose 1 2, replace any, replace pride -> any pride
    120@17 [add-1 greed any] / 120@0 -> roll: 41, keep greed -> add-1 any
"""


@each_case("rule, position, moves, lowest", cases(UNDER_THE_DECK))
def test_cards_go_under_the_deck_in_order(rule: str, position: str, moves: str, lowest: str) -> None:
    """CH-M1, CH-M3, CH-C2 and CH-S6."""
    assert bottom(play_moves(read(position), moves), len(lowest.split())) == lowest, rule


LEGAL = """
CH-3
    120@0 [add-1 replace-1 greed] / 120@0 -> roll
CH-8: any other challenge space without an own marker
    120@6 habits desires / 120@0 envy · 0 free
        -> option: excuses, gossip, envy, vanity, anger, pride, worry, doubt, fear, resentment,
            blame, grudges, denial, control, selfishness
CH-8
    120@3 TWELVE [add-1] / 120@0 · 0 free -> done
CH-M4
    120@3 TWELVE [denial] / 120@0 · 0 free -> card denial, done
CH-M3: one to N others, in any order
    120@3 [add-1 replace-2 greed any] / 120@0 · 0 free
        -> card replace-2: add-1, greed, any, add-1 greed, add-1 any, greed add-1, greed any, any add-1, any greed
CH-M3: equal cards are one choice
    120@3 [replace-1 replace-1 any any] / 120@0 · 0 free -> card replace-1: replace-1, any
CH-C0
    120@0 / 120@0 / 120@0 -> roll: 12 -> choose: myself, 1, 2
CH-C0: only who can
    120@16 greed / 120@0 envy / 120@0 -> roll: 12 -> choose: myself, 1
CH-C0: the lander can't
    120@16 / 120@0 envy / 120@0 greed -> roll: 12 -> choose: 1, 2
CH-C2
    120@0 [envy] / 120@0 / 120@0 [greed] -> roll: 13 -> choose: myself, 2
CH-C3
    120@8 / 120@0 / 120@0 / 120@0 -> roll: 12 -> choose: myself, 1, 2, 3, 1 2, 1 3, 2 3, 1 2 3
CH-C6
    120@16 / 120@0 / 120@0 -> roll: 13 -> choose: myself, 1, 2, 1 2
CH-C7
    120@24 / 120@0 / 120@0 / 120@0 -> roll: 12 -> choose: myself, 1 2 3
CH-C5
    120@16 greed denial / 120@0 envy -> roll: 12, choose myself -> choose: greed, denial
CH-C8
    120@24 ELEVEN / 120@0
        -> roll: 13, choose myself -> choose: habits, resentment, blame, grudges, denial, control, selfishness
CH-S6
    120@17 [add-1 any any] / 120@0 -> roll: 41 -> keep add-1, keep any
"""


@each_case("rule, position, moves, choices", cases(LEGAL))
def test_legal_moves(rule: str, position: str, moves: str, choices: str) -> None:
    """CH-3, CH-8, CH-12, CH-C0 to CH-C8, CH-M3, CH-M4 and CH-S6: all moves, or those that begin with some words."""
    start, colon, wanted = choices.rpartition(": ")
    start += " " if colon else ""
    found = legal(play_moves(read(position), moves))
    assert ", ".join(move.removeprefix(start) for move in found if move.startswith(start)) == wanted, rule


def test_ch_m4_the_blank_card_leads_to_any_challenge_space() -> None:
    """CH-M4: with a marker, where there is none yet, and without."""
    found = {
        move.removeprefix("card any ") for move in legal(read("120@5 greed [any]/120@0 · 0 free")) if "any" in move
    }
    assert found == {*BOARD.space_by_key, *(f"{key} place" for key in BOARD.space_by_key if key != "greed")}


REFUSALS = """
roll_first
    120@0 [replace-1 greed any] / 120@0 -> option greed
    120@0 [replace-1 greed any] / 120@0 -> card greed
    120@0 [replace-1 greed any] / 120@0 -> done
    120@0 [replace-1 greed any] / 120@0 -> challenge
    120@0 [replace-1 greed any] / 120@0 -> keep any
rolled_already
    120@0 [add-1 add-2 any] / 120@0 -> roll: 41 -> roll
no_challenge
    120@5 desires [add-1] / 120@0 · 0 free -> challenge
    120@0 [add-1 add-2 any] / 120@0 -> roll: 41, challenge: 111 11 1 -> challenge
    120@0 [replace-1 any] / 120@0 -> roll: 41, card replace-1 any -> challenge
    120@24 TWELVE [add-1] / 120@0 -> roll: 41 -> challenge
nothing_to_add_to
    120@0 [add-1 add-2 any] / 120@0 -> roll: 41 -> card add-1
    120@0 [add-1 add-2 any] / 120@0 -> roll: 41, challenge: 666 66 6 -> card add-1
    120@0 [add-1 add-2 any] / 120@0 -> roll: 41, challenge: 111 11 1, card any greed -> card add-1
option_used
    120@3 [add-1] / 120@0 · 0 free -> option greed: 666 66 6 -> option envy
    120@3 [greed any] / 120@0 · 0 free -> card greed place -> option envy
    120@3 [greed any] / 120@0 · 0 free -> card greed place -> card any envy
    120@3 [greed any] / 120@0 · 0 free -> option envy: 666 66 6 -> card greed
standing_there
    120@6 habits / 120@0 · 0 free -> option greed
marker_there
    120@6 habits / 120@0 · 0 free -> option habits
    120@3 greed [greed] / 120@0 · 0 free -> card greed place
    120@24 greed / 120@0 -> roll: 13, choose myself -> choose greed
no_marker_there
    120@16 greed / 120@0 envy fear -> roll: 12, choose 1 -> choose greed
no_markers_left
    120@3 TWELVE [add-1] / 120@0 · 0 free -> option denial
    120@3 TWELVE [denial] / 120@0 · 0 free -> card denial place
not_held
    125@5 [add-1] / 120@0 · 0 free missing 1 -> card greed place
    125@5 [add-1] / 120@0 · 0 free missing 1 -> card any greed
    125@5 [add-1] / 120@0 · 0 free missing 1 -> card replace-1 add-1
    125@5 [add-1] / 120@0 · 0 free missing 1 -> card add-2
    120@0 [greed any] / 120@0 [add-1] -> roll: 13, choose myself -> replace add-1
    120@17 [greed any] / 120@0 -> roll: 41 -> keep envy
    120@3 [add-1 replace-1] / 120@0 · 0 free -> card replace-1 replace-1
    120@3 [add-1 replace-2] / 120@0 · 0 free -> card replace-2 add-1 add-1
nothing_replaced
    120@3 [replace-1] / 120@0 · 0 free -> card replace-1
    120@3 [add-1 replace-1] / 120@0 · 0 free -> card replace-1
too_many_replaced
    120@3 [add-1 replace-1 any] / 120@0 · 0 free -> card replace-1 add-1 any
choose_first
    120@0 / 120@0 -> roll: 12 -> done
    120@0 / 120@0 -> roll: 12 -> option greed
    120@0 / 120@0 -> roll: 12 -> card any greed
nothing_to_choose
    120@0 / 120@0 -> roll: 12, choose myself -> choose 1
    120@0 / 120@0 -> roll: 12, choose myself -> choose greed
space_first
    120@16 greed / 120@0 envy fear -> roll: 12, choose 1 -> card greed place
    120@24 / 120@0 -> roll: 13, choose myself -> done
card_first
    120@0 [greed any] / 120@0 [add-1] -> roll: 13, choose myself -> choose greed
keep_first
    120@17 [greed any] / 120@0 -> roll: 41 -> option greed
not_able
    120@16 greed / 120@0 envy / 120@0 -> roll: 12 -> choose 2
    120@16 greed / 120@0 envy / 120@0 -> roll: 12 -> choose 5
    120@0 [envy] / 120@0 / 120@0 [greed] -> roll: 13 -> choose 1 2
you_cannot
    120@16 / 120@0 envy / 120@0 greed -> roll: 12 -> choose myself
one_only
    120@0 / 120@0 / 120@0 -> roll: 12 -> choose 1 2
not_yourself
    120@8 / 120@0 / 120@0 -> roll: 13 -> choose 0 1
seat_twice
    120@8 / 120@0 / 120@0 -> roll: 13 -> choose 1 1
all_of_them
    120@24 / 120@0 / 120@0 -> roll: 12 -> choose 1
"""


def reason_of(position: str, moves: str, refused: Move) -> object:
    """Return why the seat to move may not make a move after others."""
    state = play_moves(read(position), moves)
    refusal = GAME.check(state, GAME.seat_to_move(state) or 0, refused)
    return refusal and refusal.reason


@each_case("reason, position, moves, refused", cases(REFUSALS))
def test_other_moves_are_refused_with_their_reason(reason: str, position: str, moves: str, refused: str) -> None:
    """CH-3 to CH-8, CH-M2 to CH-M4, CH-C0 to CH-C8 and CH-S6."""
    assert reason_of(position, moves, GAME.parse_move(refused)) is ChangeReason(reason)


@each_case("space, dice", [(0, "12"), (8, "12"), (8, "13"), (16, "12"), (16, "13"), (24, "12"), (24, "13")])
def test_ch_c0_choosing_no_seat_is_refused(space: int, dice: str) -> None:
    """CH-C0: no text says so, but a move may be made in other ways."""
    seats = f"120@{space} greed/120@0 greed/120@0 greed"
    assert reason_of(seats, f"roll: {dice}", Choose(())) is ChangeReason.NOBODY_CHOSEN


def test_every_reason_has_its_case() -> None:
    refused = {reason for reason, *_ in cases(REFUSALS)}
    assert refused == {*ChangeReason} - {ChangeReason.NOBODY_CHOSEN}


def test_only_the_seat_that_is_asked_may_decide() -> None:
    """CH-C0: even in another player's turn."""
    state = play_moves(read("120@24/120@0/120@0"), "roll: 13, choose 1")
    for seat in (0, 2):
        assert GAME.check(state, seat, GAME.parse_move("choose greed")) == Refusal(CommonReason.NOT_TO_MOVE)


EVENTS = """
CH-3, CH-5
    120@0 / 100@0 desires / 90@0 greed -> roll: 41 -> TrackRolled 0 (4, 1) 5, Landed 0 5 (5, -5, 0)
CH-10
    120@0 / 3@0 desires -> roll: 41 -> TrackRolled 0 (4, 1) 5, Landed 0 5 (5, -3)
CH-4: only its seat sees what it draws
    120@0 / 120@0 · top any -> roll: 22 -> TrackRolled 0 (2, 2) 0, CardsDrawn 0 1, CardsSeen 0 any
CH-M1
    120@0 [FIVE] / 120@0 -> roll: 22 -> TrackRolled 0 (2, 2) 0, CardsDrawn 0 0
CH-6
    125@5 habits / 120@0 · 0 free challenge
        -> challenge: 666 66 6 -> Challenged 0 5 ((6, 6, 6), (6, 6), (6,)), MarkerPlaced 0 5 False
CH-11: a whole set
    125@5 habits excuses / 120@0 · 0 free challenge sets
        -> challenge: 666 66 6 -> Challenged 0 5 ((6, 6, 6), (6, 6), (6,)), MarkerPlaced 0 5 True
CH-11: not without sets
    125@5 habits excuses / 120@0 · 0 free challenge
        -> challenge: 666 66 6 -> Challenged 0 5 ((6, 6, 6), (6, 6), (6,)), MarkerPlaced 0 5 False
CH-8
    120@3 / 120@0 · 0 free -> option greed: 412 34 4 -> Landed 0 6 (10, 0), Challenged 0 6 ((4, 1, 2), (3, 4), (4,))
CH-M3: replaced cards are not shown, and drawn ones in no order
    120@3 [replace-2 greed envy] / 120@0 · 0 free top any add-1
        -> card replace-2 greed envy -> CardPlayed 0 replace-2, CardsReplaced 0 2, CardsSeen 0 add-1 any
CH-M4
    120@3 [greed] / 120@0 · 0 free
        -> card greed place -> CardPlayed 0 greed, Landed 0 6 (10, 0), MarkerPlaced 0 6 False
CH-C1
    120@3 / 120@0 / 120@0 · 0 corner top any
        -> choose 2 -> Chosen 0 (2,), Released 2 10 3 (), CardsDrawn 0 1, CardsSeen 0 any
CH-C3
    120@11 / 120@0 · 0 corner -> choose myself: 264 -> Released 0 12 11 (2, 6, 4)
CH-C4, CH-12: the lander draws nothing once the game is over
    120@12 / 15@0 / 14@0 · 0 corner -> choose 1 2 -> Chosen 0 (1, 2), Released 1 15 12 (), Released 2 14 12 ()
CH-C5, CH-C9
    120@19 greed denial / 120@0 · 0 return -> choose denial -> Moved 0 29, Released 0 25 29 ()
CH-C8, CH-C9
    120@28 / 120@0 denial · 0 place -> choose denial -> Moved 0 29, MarkerPlaced 0 29 False
CH-C0: nobody can
    120@16 / 120@0 -> roll: 12 -> TrackRolled 0 (1, 2) 19, SpaceSkipped 0 19
CH-S2
    120@11 / 120@0 · top any -> roll: 41 -> TrackRolled 0 (4, 1) 16, Moved 0 0, CardsDrawn 0 1, CardsSeen 0 any
CH-S3
    120@5 / 120@0 -> roll: 54 43 -> TrackRolled 0 (5, 4) 14, TrackRolled 0 (4, 3) 21, Landed 0 21 (20, 0)
CH-S4
    120@3 / 90@0 -> roll: 41 -> TrackRolled 0 (4, 1) 8, Released 0 10 8 ()
CH-S5
    40@0 / 40@19 · 1 roll
        -> roll: 41 123 456 -> TrackRolled 1 (4, 1) 24, Received 1 24 (1, 2, 3), Received 0 24 (4, 5, 6)
CH-S6
    120@22 [add-1 greed any] / 120@0 · 0 keep -> keep greed -> CardsLost 0 2
    120@17 [any] / 120@0 -> roll: 41 -> TrackRolled 0 (4, 1) 22, SpaceSkipped 0 22
"""


def write_event(event: GameEvent) -> str:
    details = astuple(event)
    match event:
        case CardsSeen():
            details = (event.seat, keys(event.cards))
        case CardPlayed():
            details = (event.seat, keys((event.card,)))
        case _:
            pass
    return " ".join(map(str, (type(event).__name__, *details)))


@each_case("rule, position, move, told", cases(EVENTS))
def test_what_happens_is_told_in_order(rule: str, position: str, move: str, told: str) -> None:
    """CH-3 to CH-11, CH-C0 to CH-C9, CH-S1 to CH-S6, CH-M1, CH-M3 and CH-M4."""
    text, _, dice = move.partition(":")
    _after, events = play_step(read(position), text, dice)
    assert ", ".join(map(write_event, events)) == told, rule
    assert all(event.audience == (event.seat if isinstance(event, CardsSeen) else None) for event in events)


def test_ch_m1_a_view_holds_the_own_hand_and_the_sizes_of_the_others() -> None:
    """CH-M1."""
    state = at("120@0", "120@0", hands=["greed any", "add-5"])
    assert [GAME.view(state, seat).hand for seat in (0, 1, None)] == [cards("greed any"), cards("add-5"), ()]
    assert GAME.view(state, None).public.hand_sizes == (2, 1)


@each_case(
    "position, moves, places, scores",
    [
        ("90@0/5@0 desires/70@0/95@0/70@0", "roll: 41", (4, 1, 2, 4, 2), (95, 0, 70, 95, 70)),
        ("120@0/5@0 desires/3@0 desires", "roll: 41", (3, 1, 1), (125, 0, 0)),
        ("120@12/15@0/14@0/16@0 · 0 corner", "choose 1 2 3", (4, 1, 1, 3), (120, 0, 0, 1)),
        ("120@11/3@0/18@0 · 0 corner", "choose 1 2: 111 666", (3, 1, 1), (120, 0, 0)),
        ("8@3/8@0/7@0", "roll: 41", (1, 1, 3), (0, 0, 7)),
    ],
)
def test_ch_12_places_go_by_credits_left(
    position: str, moves: str, places: tuple[int, ...], scores: tuple[int, ...]
) -> None:
    """CH-12: fewest first; equal credits share a place, and so do all who are rid of theirs at the same moment."""
    outcome = GAME.outcome(play_moves(read(position), moves))
    assert outcome is not None
    assert (outcome.places, outcome.scores, outcome.reason) == (places, scores, ChangeEnd.NO_CREDITS)


def test_ch_12_there_is_no_ranking_while_the_game_goes_on_and_no_move_afterwards() -> None:
    """CH-12."""
    assert GAME.outcome(read("1@0/2@0")) is None
    over = play_moves(read("5@0 desires/9@0"), "roll: 41")
    assert GAME.check(over, 0, GAME.parse_move("done")) == Refusal(CommonReason.GAME_OVER)


def test_ch_11_sets_are_the_usual_game() -> None:
    """CH-11."""
    assert ChangeOptions().sets
