"""Tips for people who are new to Fortune."""

from collections.abc import Iterator, Sequence

from bot.games.fortune.deck import Card, CardKind
from bot.games.fortune.events import GameEvent
from bot.games.fortune.guide import card_effect, card_name
from bot.games.fortune.pieces import MAX_SKULLS, Face, State, Turn
from bot.rules.tips import Tip
from bot.words import format_number, gettext as _


def find_tips(
    view: State,
    events: Sequence[GameEvent],  # noqa: ARG001 - part of every finder's signature
) -> Iterator[Tip]:
    """Yield the card, then what matters in the turn.

    Cards of earlier turns are not explained: next to the dice they would seem to be in play.
    """
    if view.crosser is not None and view.turn.faces:
        # The message of the last round has no room below the dice.
        return
    yield _explain(view.turn.card)
    if view.crosser is not None:
        yield Tip("last", _("This is your last turn: don't stop while you're behind."))
    else:
        yield from _turn_tips(view.turn)


def _explain(card: Card) -> Tip:
    line, effect = _("{card}: {effect}"), card_effect(card)
    if card.kind is CardKind.SEA_BATTLE:
        line = _("{card}: stop with {swords}+ swords to win {bonus}. Otherwise you lose {bonus}.")
    text = line.format(card=card_name(card), effect=effect, swords=card.swords, bonus=format_number(card.bonus))
    return Tip(str(card.kind), text, is_explanation=True)


def _turn_tips(turn: Turn) -> Iterator[Tip]:
    """Yield what the dice suggest. Rules FO-2 to FO-11."""
    if not turn.faces:
        yield Tip("roll", _("Roll all eight dice. Collect three or more of a kind, and avoid three skulls."))
    elif turn.island:
        yield Tip("island", _("You have nothing to lose on the Island: keep rolling for more skulls."))
    elif turn.is_in_doubt:
        yield Tip("sorceress", _("Three skulls! The Sorceress can free one, or your turn ends without points."))
    else:
        yield from _dice_tips(turn)


def _dice_tips(turn: Turn) -> Iterator[Tip]:
    if turn.skulls == MAX_SKULLS:
        yield Tip("skulls", _("A third skull takes this turn's points. Compare the risk with Stop."))
    if turn.card.swords > turn.faces.count(Face.SWORD):
        yield Tip("spare", _("Dice you don't need are safe to keep: what isn't rolled can't become a skull."))
    if turn.rolls_left:
        yield Tip("keep", _("Tap the dice you keep, then roll the others: at least two. Skulls always stay."))
    yield Tip("sets", _("Three or more of a kind score. Each 🪙 and each 💎 is worth 100 even alone."))
    yield Tip("odds", _("Each roll says how likely it is to bust. Stop says what you get now."))
    yield Tip("chest", _("If all eight dice score, you get 500 more: a full chest."))
