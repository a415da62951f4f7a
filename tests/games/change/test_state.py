"""The audit of Change finds what is wrong with a position, and the content what is wrong with its files."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from bot.games.change.board import BoardFile, ChangeContent, DeckFile
from bot.games.change.pieces import Stage, State
from bot.rules.content import Origin
from bot.tools.contract.audits import audit
from tests.games.change.positions import ALL_PLACED, CONTENT, GAME, at, cards, spaces
from tests.support.each_case import each_case

SOUND = at("120@5", "90@3 greed", hands=["greed add-1", "any"], stage=Stage.FREE, missing=2)
CORNER = at("120@3", "90@0 greed", stage=Stage.CORNER)
SWAPPING = at("120@4", "90@0", hands=["", "any greed"], stage=Stage.SWAP, asked=[1], draws=1)


def change_public(state: State, **changes: Any) -> State:
    return replace(state, public=state.public._replace(**changes))


FAULTS: dict[str, State] = {
    "not two to six seats": change_public(SOUND, ragz_spaces=(0,)),
    "a seat has credits below zero": change_public(SOUND, credits=(120, -1)),
    "a seat has placed too many markers": change_public(SOUND, markers=(spaces(f"{ALL_PLACED} denial"), 0)),
    "a marker is on no challenge space": change_public(SOUND, markers=(1, 0)),
    "a Ragz is off the track": change_public(SOUND, ragz_spaces=(32, 0)),
    "cards are missing or too many": replace(SOUND, deck=SOUND.deck[1:]),
    "a seat holds too many cards": replace(SOUND, hands=(SOUND.deck[:6], ())),
    "a hand is not sorted": replace(SOUND, hands=(tuple(reversed(SOUND.hands[0])), SOUND.hands[1])),
    "hands are counted wrong": change_public(SOUND, hand_sizes=(2, 2)),
    "the turn belongs to no seat": change_public(SOUND, turn=2, asked=(2,)),
    "a seat is asked that does not exist": change_public(SWAPPING, asked=(4,)),
    "a seat is asked twice": change_public(SWAPPING, asked=(1, 1)),
    "no seat is asked, but the game is not over": change_public(SOUND, asked=()),
    "a seat is asked out of turn": change_public(SOUND, asked=(1,)),
    "a seat has no credits, but the game goes on": change_public(SOUND, credits=(0, 90)),
    "draws are owed, but no seat was chosen": change_public(SOUND, draws=1),
    "a challenge is open where there can be none": change_public(SOUND, ragz_spaces=(8, 3)),
    "a challenge is open and has failed": change_public(SOUND, may_challenge=True),
    "more is missing than can be": change_public(SOUND, missing=13),
    "a seat chooses at no corner": change_public(CORNER, ragz_spaces=(5, 0)),
    "there is no seat to choose": change_public(at("120@19 envy", "90@0", stage=Stage.FREE), stage=Stage.CORNER),
    "a seat can't do what it is asked": change_public(
        at("120@19", "90@0 greed", stage=Stage.FREE), stage=Stage.RETURN, asked=(0,)
    ),
    "a seat chooses among fewer than two cards": change_public(
        at("120@4", "90@0", hands=["", "any"], stage=Stage.FREE), stage=Stage.SWAP, asked=(1,)
    ),
}


@each_case("fault", FAULTS)
def test_the_audit_names_each_fault(fault: str) -> None:
    assert fault in audit(GAME, FAULTS[fault])


def test_a_sound_position_has_no_faults() -> None:
    assert [audit(GAME, state) for state in (SOUND, CORNER, SWAPPING)] == [(), (), ()]


def test_every_entry_names_its_origin() -> None:
    board, deck = CONTENT.board, CONTENT.deck
    named = {space.name for space in board.spaces if space.origin is Origin.SOURCE}
    challenges = {space.name for space in board.spaces if space.set}
    assert named & challenges == {"Desires", "Greed"}
    assert named - challenges == {space.name for space in board.spaces if not space.set}
    assert {each.points for each in deck.add if each.origin is Origin.SOURCE} == {1, 2, 3, 4, 5}


def board_with(change: Callable[[list[dict[str, Any]]], object]) -> dict[str, Any]:
    spaces = [space.model_dump(exclude_none=True) for space in CONTENT.board.spaces]
    change(spaces)
    return {"spaces": spaces}


BOARDS: dict[str, Callable[[list[dict[str, Any]]], object]] = {
    "needs 32 spaces, not 31": lambda spaces: spaces.pop(),
    "must begin with Start": lambda spaces: spaces.append(spaces.pop(0)),
    "needs 18 challenge spaces, 8 corners": lambda spaces: spaces[8].update(kind="arrogance"),
    "needs three spaces in every set": lambda spaces: spaces[1].update(set="B"),
    "must call every space something else": lambda spaces: spaces[1].update(name="Excuses"),
    "must give every challenge space a name of one word": lambda spaces: spaces[1].update(name="Bad Habits"),
    "Greed needs credits, set": lambda spaces: spaces[6].pop("credits"),
    "Stall needs action, draws, others": lambda spaces: spaces[4].update(credits=10),
    "Humility needs neither credits": lambda spaces: spaces[8].update(credits=10),
}


@each_case("fault", BOARDS)
def test_a_board_that_cannot_be_played_on_is_refused(fault: str) -> None:
    with pytest.raises(ValidationError, match=fault):
        BoardFile.model_validate(board_with(BOARDS[fault]))


@each_case("kind, fault", [("add", "each Add card"), ("replace", "each Replace card")])
def test_two_entries_for_a_card_are_refused(kind: str, fault: str) -> None:
    deck = CONTENT.deck.model_dump()
    deck[kind] = [*deck[kind], deck[kind][0]]
    with pytest.raises(ValidationError, match=fault):
        DeckFile.model_validate(deck)


def test_a_deck_may_have_other_numbers() -> None:
    """The numbers are ours, so a table may be played with others; six full hands leave some to draw."""
    deck = CONTENT.deck.model_dump()
    deck["any_space"]["count"] = 6
    content = ChangeContent(board=CONTENT.board, deck=DeckFile.model_validate(deck), network=CONTENT.network)
    assert content.deck.any_space.count == 6
    assert len(cards("any any any any")) == 4
