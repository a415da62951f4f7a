"""Tips for people who are new to Change. They follow from what everyone sees: cards are explained in the hand."""

from collections.abc import Iterator, Sequence

from bot.games.change.board import Card, Space, SpaceKind
from bot.games.change.events import CardPlayed, MarkerPlaced, TrackRolled
from bot.games.change.guide import card_name, describe_card, describe_corner_action, describe_space
from bot.games.change.pieces import CHALLENGE_TARGET, PublicState, Stage, View
from bot.rules.game import Event
from bot.rules.tips import Tip
from bot.words import gettext as _


def find_tips(view: View, news: Sequence[Event]) -> Iterator[Tip]:
    """Yield the spaces and cards that just mattered, newest first, then what to do at this stage."""
    public = view.public
    for event in reversed(news):
        match event:
            case CardPlayed(card=card):
                yield _explain_card(public, card)
            case TrackRolled(space=space):
                yield from _explain_space(public, space)
            case MarkerPlaced(fills_set=True):
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
            yield Tip("goal", _("Mark spaces: you release their credits whenever anyone lands there."))
            yield Tip("doubles", _("Doubles take you to Start: you draw a card, and your turn ends."))
        case Stage.CORNER:
            yield Tip("corner", _("Take the bonus, or give it away for cards."))
        case Stage.RETURN:
            yield Tip("return", _("Choose the marked space that is worth most: you release its credits."))
        case Stage.PLACE:
            yield Tip("place", _("Mark a space that is worth a lot, or one that completes a set."))
        case Stage.SWAP | Stage.KEEP:
            yield Tip("hand", _("Choose in My hand: only you see your cards."))
        case _:
            yield from _free_tips(public)


def _free_tips(public: PublicState) -> Iterator[Tip]:
    """Yield what can be done after the roll. Rules CH-6 to CH-11."""
    if public.missing and public.hand_sizes[public.turn]:
        yield Tip("add", _("Just short! An Add card from My hand could still make it."))
    if public.may_challenge:
        line = _("Try the challenge: {target} or more places a marker here.")
        yield Tip("challenge", line.format(target=CHALLENGE_TARGET))
    if public.may_play_cards:
        yield Tip("cards", _("My hand shows your cards and which of them you can play now."))
    if public.may_travel and not public.missing:
        yield Tip("option", _("An option move: go to another space, receive its credits, and try it."))
