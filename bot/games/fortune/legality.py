"""Decides which moves are legal."""

from typing import assert_never

from bot.games.fortune.deck import CardKind
from bot.games.fortune.move_lists import FIRST_ROLL, rolls_by_dice
from bot.games.fortune.moves import Move, Revive, Roll, Stop
from bot.games.fortune.pieces import ALL_PLACES, MIN_ROLLED_DICE, FortuneReason, Places, Turn
from bot.rules.refusals import DieFacts, Refusal


def why_not(turn: Turn, move: Move) -> Refusal | None:
    """Return why a move is illegal, or None. Rules FO-2 to FO-4, FO-9, FO-C1, FO-C3 and FO-C8."""
    if not turn.faces:
        return None if move == FIRST_ROLL else Refusal(FortuneReason.FIRST_ROLL)
    match move:
        case Roll():
            return _why_not_roll(turn, move)
        case Revive():
            return _why_not_revive(turn, move)
        case Stop():
            return None
        case _:
            assert_never(move)


def rollable_dice(turn: Turn) -> Places:
    """Return the dice that at least one legal move rolls. Rules FO-2, FO-4, FO-C3 and FO-C8."""
    if not turn.rolls_left:
        return ()
    if turn.spell and not turn.island and len(turn.free) < len(ALL_PLACES):
        return ALL_PLACES
    return turn.free if len(turn.free) >= MIN_ROLLED_DICE else ()


def _why_not_roll(turn: Turn, move: Roll) -> Refusal | None:
    """Allow rolling two or more dice without skulls. Rules FO-2, FO-3, FO-9 and FO-C8."""
    if turn.is_in_doubt:
        return Refusal(FortuneReason.THIRD_SKULL)
    if not turn.rolls_left:
        return Refusal(FortuneReason.NO_ROLLS_LEFT)
    if move.dice not in rolls_by_dice(turn.free):
        return _why_not_dice(turn, move.dice) or Refusal(FortuneReason.TOO_FEW_DICE)
    if turn.island and move.dice != turn.free:
        return Refusal(FortuneReason.WHOLE_CREW)
    return _why_not_chest(turn, move) if move.chest else None


def _why_not_dice(turn: Turn, dice: Places) -> Refusal | None:
    """Refuse places that are no choice of free dice."""
    if refusal := _why_not_places(dice):
        return refusal
    skulls = [place for place in dice if place not in turn.free]
    return Refusal(FortuneReason.SKULL_STAYS, DieFacts(skulls[0])) if skulls else None


def _why_not_places(places: Places) -> Refusal | None:
    """Refuse places out of range or named twice."""
    for place in places:
        if place not in ALL_PLACES:
            return Refusal(FortuneReason.NO_SUCH_DIE, DieFacts(place))
        if places.count(place) > 1:
            return Refusal(FortuneReason.DIE_TWICE, DieFacts(place))
    return None if places == tuple(sorted(places)) else Refusal(FortuneReason.OUT_OF_ORDER)


def _why_not_chest(turn: Turn, move: Roll) -> Refusal | None:
    """Allow dice in the chest that show no skull and are not rolled. Rule FO-C1."""
    if turn.card.kind is not CardKind.TREASURE_CHEST or turn.island:
        return Refusal(FortuneReason.NO_CHEST)
    if refusal := _why_not_places(move.chest):
        return refusal
    for place in move.chest:
        if place not in turn.free:
            return Refusal(FortuneReason.SKULL_IN_CHEST, DieFacts(place))
        if place in move.dice:
            return Refusal(FortuneReason.ROLLED_FROM_CHEST, DieFacts(place))
    return None


def _why_not_revive(turn: Turn, move: Revive) -> Refusal | None:
    """Allow the Sorceress to free one skull in a turn. Rule FO-C3."""
    if turn.card.kind is not CardKind.SORCERESS:
        return Refusal(FortuneReason.NO_SORCERESS)
    if turn.island:
        return Refusal(FortuneReason.NO_SPELL_ON_ISLAND)
    if not turn.spell:
        return Refusal(FortuneReason.SPELL_USED)
    return _why_not_skull(turn, move) or _why_not_dice(turn, move.dice)


def _why_not_skull(turn: Turn, move: Revive) -> Refusal | None:
    """Refuse a place that is no die with a skull."""
    if refusal := _why_not_places((move.skull,)):
        return refusal
    if move.skull in turn.free:
        return Refusal(FortuneReason.NOT_A_SKULL, DieFacts(move.skull))
    return Refusal(FortuneReason.DIE_TWICE, DieFacts(move.skull)) if move.skull in move.dice else None
