"""What a position says beyond its state: the cards that can be played, and what the newest turn brought."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeGuard

from bot.games.change.board import Card, CardKind, Space
from bot.games.change.pieces import (
    CardPlayed,
    CardsSeen,
    Challenged,
    GameEvent,
    Landed,
    PublicState,
    Received,
    Released,
    Stage,
    TrackRolled,
    View,
)
from bot.games.change.words import card_name
from bot.rules.game import Seat
from bot.words import N_, gettext as _, join_items

_UNPLAYABLE_REASONS: Mapping[CardKind, str] = {
    CardKind.ADD: N_("Add cards only help after a failed challenge."),
    CardKind.REPLACE: N_("A Replace card needs another card to replace."),
    CardKind.SPACE: N_("You've already used this turn's move to another space."),
    CardKind.ANY: N_("You've already used this turn's move to another space."),
}
"""Why a card can't be played after the track roll."""

_DECIDED_FIRST = N_("You can't play yet: someone else decides first.")
_NOT_YOUR_TURN = N_("Wait for your turn. Roll first and do what your space says, then you can play cards.")
_AT_THE_TABLE = N_("You can't play yet: choose at the table first.")
_PROMPTS: Mapping[Stage, str] = {
    Stage.ROLL: N_("You can't play yet: roll the track dice first."),
    Stage.SWAP: N_("Choose a card to replace. It goes under the deck unseen, and you draw another."),
    Stage.KEEP: N_("Choose one card to keep. The others go under the deck unseen."),
}


def can_play(view: View, card: Card) -> bool:
    """Return whether a card of the hand can be played, replaced or kept now. Rules CH-M2 to CH-M4, CH-7 and CH-S6."""
    public = view.public
    if view.seat != public.mover or public.stage not in (Stage.FREE, Stage.SWAP, Stage.KEEP):
        return False
    if public.stage is not Stage.FREE:
        return True
    match public.board.cards[card].kind:
        case CardKind.ADD:
            return public.missing > 0
        case CardKind.REPLACE:
            return len(view.hand) > 1
        case CardKind.SPACE | CardKind.ANY:
            return public.may_travel


def waits_for_card(public: PublicState) -> bool:
    """Return whether the next move is probably a card, judged by the public state."""
    if public.stage is not Stage.FREE:
        return public.stage in (Stage.SWAP, Stage.KEEP)
    can_move = public.may_travel and public.markers_left(public.turn) > 0
    can_do_without = public.may_challenge or (can_move and not public.missing)
    return public.may_play_cards and not can_do_without


def hand_advice(view: View) -> str:
    """Return what can be done with the cards now, or why nothing can."""
    public = view.public
    if not view.hand:
        return _("Nothing to play. You get cards from Start, doubles and corners.")
    if view.seat != public.mover:
        return _(_DECIDED_FIRST if view.seat == public.turn else _NOT_YOUR_TURN)
    return _free_advice(view) if public.stage is Stage.FREE else _(_PROMPTS.get(public.stage, _AT_THE_TABLE))


def _free_advice(view: View) -> str:
    """List the playable cards, or say why there are none."""
    cards, kinds = dict.fromkeys(view.hand), view.public.board.cards
    playable = [card_name(view.public.board, card) for card in cards if can_play(view, card)]
    if not playable:
        reasons = dict.fromkeys(_(_UNPLAYABLE_REASONS[kinds[card].kind]) for card in cards)
        return " ".join((_("You can't play any card right now."), *reasons))
    advice = _("You can play {cards}, one at a time.").format(cards=join_items(playable))
    if not view.public.may_challenge:
        return advice
    return _("{advice} That gives up the challenge of the space you're on.").format(advice=advice)


def latest_turn(events: Sequence[GameEvent]) -> Sequence[GameEvent]:
    """Return the events since the newest turn began."""
    first = next((at for at in range(len(events) - 1, -1, -1) if _begins_turn(events, at)), 0)
    return events[first:]


def _begins_turn(events: Sequence[GameEvent], at: int) -> bool:
    """Return whether an event begins a turn: a track roll, except the second one of Emotional. Rule CH-S3."""
    event, before = events[at], events[at - 1] if at else None
    goes_on = isinstance(before, TrackRolled) and isinstance(event, TrackRolled) and before.seat == event.seat
    return isinstance(event, TrackRolled) and not goes_on


def latest_space_roll(turn: Sequence[GameEvent]) -> Challenged | Released | Received | None:
    """Return the newest challenge or roll for credits, or None."""
    return next((event for event in reversed(turn) if _has_dice(event)), None)


def _has_dice(event: GameEvent) -> TypeGuard[Challenged | Released | Received]:
    return isinstance(event, Challenged) or (isinstance(event, Released | Received) and bool(event.dice))


def latest_drawn_cards(events: Sequence[GameEvent], seat: Seat | None) -> tuple[Card, ...]:
    """Return the cards that a seat drew last; empty if it drew none."""
    drawn = [event.cards for event in events if isinstance(event, CardsSeen) and event.seat == seat]
    return drawn[-1] if drawn else ()


def played_cards(turn: Sequence[GameEvent]) -> tuple[CardPlayed, ...]:
    """Return the cards played, oldest first."""
    return tuple(event for event in turn if isinstance(event, CardPlayed))


def changes_of(turn: Sequence[GameEvent], seats: int) -> tuple[int, ...]:
    """Return the change of each seat's credits."""
    return tuple(changes_by_space(seat, turn).total() for seat in range(seats))


def changes_by_space(seat: Seat, turn: Iterable[GameEvent]) -> Counter[Space]:
    """Return the changes of a seat's credits by the spaces that caused them, in order."""
    changes: Counter[Space] = Counter()
    for event in turn:
        for each, space, change in _changes(event):
            if each == seat and change:
                changes[space] += change
    return changes


def _changes(event: GameEvent) -> Iterator[tuple[Seat, Space, int]]:
    match event:
        case Landed():
            yield from ((seat, event.space, change) for seat, change in enumerate(event.changes))
        case Released():
            yield event.seat, event.space, -event.count
        case Received():
            yield event.seat, event.space, sum(event.dice)
        case _:
            pass
