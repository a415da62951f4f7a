"""Tips for people who are new to Change. They follow from what everyone sees: cards are explained in the hand."""

from collections.abc import Iterator, Sequence

from bot.games.change.board import Card, Space, SpaceKind
from bot.games.change.corners import can_act_at_corner, current_corner
from bot.games.change.events import CardPlayed, GameEvent, MarkerPlaced, TrackRolled
from bot.games.change.guide import card_name, describe_card, describe_corner_action, describe_space
from bot.games.change.pieces import CHALLENGE_TARGET, PublicState, Stage, View
from bot.rules.tips import Tip
from bot.words import gettext as _


def find_tips(view: View, events: Sequence[GameEvent]) -> Iterator[Tip]:
    """Yield the spaces and cards that just mattered, newest first, then what to do at this stage."""
    public = view.public
    for event in reversed(events):
        match event:
            case CardPlayed(card=card):
                yield _explain_card(public, card)
            case TrackRolled(is_double=True):
                text = _("Doubles take you to Start: you draw a card, and your turn ends.")
                yield Tip("doubles", text, is_explanation=True)
            case TrackRolled(space=space):
                yield from _explain_space(public, space)
            case MarkerPlaced(fills_set=True, seat=seat) if seat == public.mover:
                text = _("A full set: its three spaces release double for you from now on.")
                yield Tip("set", text, is_explanation=True)
            case _:
                pass
    yield from _stage_tips(public)


def _explain_space(public: PublicState, space: Space) -> Iterator[Tip]:
    """Yield what happens at a corner or another special space."""
    entry = public.board.spaces[space]
    if entry.kind is not SpaceKind.CHALLENGE:
        effect = describe_corner_action(entry) if entry.kind is SpaceKind.CORNER else describe_space(entry)
        line = _("{space}: {effect}.").format(space=entry.name, effect=effect)
        yield Tip(f"space-{space}", line, is_explanation=True)


def _explain_card(public: PublicState, card: Card) -> Tip:
    line = _("Card {card}: {effect}.")
    text = line.format(card=card_name(public.board, card), effect=describe_card(public.board, card))
    return Tip(f"card-{public.board.cards[card].kind.value}", text, is_explanation=True)


def _stage_tips(public: PublicState) -> Iterator[Tip]:
    match public.stage:
        case Stage.ROLL:
            # A turn has one tip, so this one speaks of challenges before the first of them.
            line = _("Roll {target}+ in a challenge to mark its space: you release its credits at each landing.")
            yield Tip("goal", line.format(target=CHALLENGE_TARGET))
        case Stage.CORNER:
            yield from _corner_tips(public)
        case Stage.RETURN:
            yield Tip("return", _("Choose the marked space that is worth most: you release its credits."))
        case Stage.PLACE:
            yield Tip("place", _("Mark a space that is worth a lot, or one that completes a set."))
        case Stage.SWAP | Stage.KEEP:
            yield Tip("hand", _("Choose in My hand: only you see your cards."))
        case _:
            yield from _free_tips(public)


def _corner_tips(public: PublicState) -> Iterator[Tip]:
    """Yield what speaks for giving the bonus away. Rules CH-C0 and CH-M1."""
    if not can_act_at_corner(public, current_corner(public), public.turn):
        return
    if public.room_in_hand(public.turn):
        yield Tip("corner", _("Take the bonus, or give it away for cards."))
    else:
        yield Tip("corner-full", _("Take the bonus: your hand is full, so giving it away brings you no cards."))


def _free_tips(public: PublicState) -> Iterator[Tip]:
    """Yield what can be done after the roll; the screen explains the challenge. Rules CH-7 to CH-11."""
    if public.add_cards_may_help:
        yield Tip("add", _("My hand shows whether you have Add cards."))
    if public.may_play_cards:
        yield Tip("cards", _("My hand shows your cards and which of them you can play now."))
    if public.may_travel and public.markers_left(public.turn) and not public.missing:
        yield Tip("option", _("An option move: go to another space, receive its credits and try its challenge."))
