"""The message cards of one seat, which nobody else is shown, and what can be done with them.

A draft holds small numbers: that no marker is to be placed, the Replace card that is open, by how many cards it
replaces, and the cards to be replaced, by their places in the hand.
"""

from collections.abc import Sequence
from typing import TypeAlias

from bot.games.change.board import Card, CardKind, Space
from bot.games.change.controls import describe_other_releases
from bot.games.change.guide import card_name, describe_card
from bot.games.change.moves import Add, Keep, Replace, Swap, Travel
from bot.games.change.news import new_card_lines
from bot.games.change.pieces import MAX_HAND_SIZE, Stage, View
from bot.games.change.playable_cards import hand_advice
from bot.games.change.strategy import recommend_move
from bot.rules.advice import highlight_best
from bot.rules.screen import Control, Draft, Menu, News, Play, Screen, Toggle, Tone, events_of
from bot.words import gettext as _, ngettext

_NO_MARKER_TOKEN = 0

_PAIR_SIZE = 2
"""With so many cards a Replace card has but one other to replace."""

# The token of a Replace card is how many cards it replaces, from one on.
_FIRST_CARD_TOKEN = 10
"""The token of a card to be replaced is this and its place in the hand."""

ControlRow: TypeAlias = tuple[Control, ...]


def build_hand_screen(
    view: View,
    news: Sequence[News],
    names: Sequence[str],  # noqa: ARG001 - part of every screen builder's signature
    draft: Draft,
) -> Screen:
    """Make the screen that one seat sees of its hand; a spectator's would be empty."""
    public, seat = view.public, view.seat
    held = [f"🎴 **{card_name(public.board, card)}**: {describe_card(public.board, card)}" for card in view.hand]
    lines = held or [_("You have no message cards.")]
    if seat is not None:
        lines += new_card_lines(public, events_of(news), seat, view.hand)
    is_asked = seat is not None and seat == public.mover
    return Screen(
        title=_("Your hand · {count} of {most} cards").format(count=len(view.hand), most=MAX_HAND_SIZE),
        text="\n".join((*lines, "", hand_advice(view))),
        controls=_build_controls(view, draft) if is_asked else (),
        accent=seat,
        menus=_build_menus(view, draft) if is_asked else (),
    )


def _build_controls(view: View, draft: Draft) -> tuple[ControlRow, ...]:
    """Return the rows of buttons; what is best stands out."""
    best = recommend_move(view)
    return tuple([highlight_best(line, best) for line in _control_rows(view, draft)])


def _control_rows(view: View, draft: Draft) -> tuple[ControlRow, ...]:
    match view.public.stage:
        case Stage.SWAP:
            lines: tuple[ControlRow, ...] = (
                tuple(_card_control(view, card, "swap") for card in dict.fromkeys(view.hand)),
            )
        case Stage.KEEP:
            lines = (tuple(_card_control(view, card, "keep") for card in dict.fromkeys(view.hand)),)
        case Stage.FREE:
            lines = (_play_row(view, draft), _toggle_row(view, draft), *_replace_rows(view, draft))
        case _:
            lines = ()
    return tuple(line for line in lines if line)


def _control_key(text: str) -> str:
    """Make the key of a control from the notation of a card."""
    return text.replace("-", "_")


def _card_control(view: View, card: Card, verb: str) -> Control:
    """Offer a card to be replaced or kept. Rules CH-C2 and CH-S6."""
    board = view.public.board
    key = board.cards[card].key
    label = _("Replace: {card}") if verb == "swap" else _("Keep: {card}")
    move = str(Swap(key) if verb == "swap" else Keep(key))
    return Control(f"{verb}_{_control_key(key)}", label.format(card=card_name(board, card)), Play(move))


def _play_row(view: View, draft: Draft) -> ControlRow:
    """Offer the cards that are played alone: Add cards, and those that name a space. Rules CH-7 and CH-M4."""
    public, board = view.public, view.public.board
    found = []
    for card in dict.fromkeys(view.hand):
        face = board.cards[card]
        if face.kind is CardKind.ADD and public.missing:
            left = public.missing - face.amount
            label = _("Add {points}: {left} to go") if left > 0 else _("Add {points}: success!")
            label = label.format(points=face.amount, left=left)
            found.append(Control(_control_key(face.key), label, Play(str(Add(face.key)))))
        if face.kind is CardKind.SPACE and face.space is not None and public.may_travel:
            found.append(_travel_control(view, draft, face.key, face.space))
    return tuple(found)


def _travel_control(view: View, draft: Draft, key: str, space: Space) -> Control:
    """Offer to go to a space with a card, and to place a marker where that can be done and is wanted. Rule CH-M4."""
    public, name = view.public, view.public.board.spaces[space].name
    worth = public.released_credits_for(public.turn, space)
    places = _can_place(view, space) and _NO_MARKER_TOKEN not in draft
    if worth:
        label = _("{space}: release {credits}").format(space=name, credits=worth)
    else:
        label = _("{space}: place a marker, receive {credits}") if places else _("{space}: receive {credits}")
        label = label.format(space=name, credits=public.board.credits[space])
    move = Travel(key, public.board.keys[space], places)
    return Control(f"go_{public.board.keys[space]}{'_any' if key != move.space else ''}", label, Play(str(move)))


def _can_place(view: View, space: Space) -> bool:
    public = view.public
    return public.markers_left(public.turn) > 0 and not public.markers[public.turn] >> space & 1


def _build_menus(view: View, draft: Draft) -> tuple[Menu, ...]:
    """Offer every challenge space to whoever holds the blank card. Rule CH-M4."""
    public, board = view.public, view.public.board
    blank = next((card for card in view.hand if board.cards[card].kind is CardKind.ANY), None)
    if blank is None or public.stage is not Stage.FREE or not public.may_travel:
        return ()
    lines = tuple(_menu_entry(view, draft, board.cards[blank].key, space) for space in board.challenge_spaces)
    return (Menu("any", _("Any space: go to …"), lines),)


def _menu_entry(view: View, draft: Draft, key: str, space: Space) -> Control:
    """Make a button's control a line of a menu, none of which is chosen, with what it brings others."""
    control = _travel_control(view, draft, key, space)
    return Control(control.key, control.label, control.effect, description=describe_other_releases(view.public, space))


def _toggle_row(view: View, draft: Draft) -> ControlRow:
    """Offer what changes the other controls: no marker, and the Replace cards with something to replace."""
    board = view.public.board
    found = []
    if any(_can_place(view, space) for space in _reachable(view)):
        is_off = _NO_MARKER_TOKEN in draft
        label = _("Without a marker") if is_off else _("✓ Place a marker there")
        found.append(Control("marker", label, Toggle(_NO_MARKER_TOKEN), Tone.QUIET if is_off else Tone.CHOSEN))
    if len(view.hand) == _PAIR_SIZE:
        found += [_replace_one_control(view, *pair) for pair in _pairs(view)]
    elif len(view.hand) > _PAIR_SIZE:
        opened = _selected_replace_card(view, draft)
        amounts = frozenset(board.cards[card].amount for card in _replace_cards(view))
        for card in _replace_cards(view):
            token = board.cards[card].amount
            is_open = card == opened
            label = _("{card}: choose the cards …").format(card=card_name(board, card))
            toggle = Toggle(token, amounts - {token})
            found.append(Control(f"open_{token}", label, toggle, Tone.CHOSEN if is_open else Tone.QUIET))
    return tuple(found)


def _pairs(view: View) -> list[tuple[Card, Card]]:
    """Return the Replace cards among two cards, each with the other one."""
    one, other = view.hand
    replacing = _replace_cards(view)
    return [pair for pair in dict.fromkeys(((one, other), (other, one))) if pair[0] in replacing]


def _reachable(view: View) -> Sequence[Space]:
    """Return the spaces that the hand leads to."""
    public, board = view.public, view.public.board
    if not public.may_travel:
        return ()
    faces = [board.cards[card] for card in view.hand]
    if any(face.kind is CardKind.ANY for face in faces):
        return board.challenge_spaces
    return [face.space for face in faces if face.space is not None]


def _replace_cards(view: View) -> list[Card]:
    cards = view.public.board.cards
    return [card for card in dict.fromkeys(view.hand) if cards[card].kind is CardKind.REPLACE]


def _selected_replace_card(view: View, draft: Draft) -> Card | None:
    """Return the Replace card whose others are being chosen."""
    cards = view.public.board.cards
    return next((card for card in _replace_cards(view) if cards[card].amount in draft), None)


def _replace_rows(view: View, draft: Draft) -> tuple[ControlRow, ...]:
    """Offer the cards that an open Replace card may replace, and to replace those picked. Rule CH-M3."""
    opened, board = _selected_replace_card(view, draft), view.public.board
    if opened is None or len(view.hand) <= _PAIR_SIZE:
        return ()
    first = view.hand.index(opened)
    others = [(at, card) for at, card in enumerate(view.hand) if at != first]
    if board.cards[opened].amount == 1:
        return (
            tuple(_replace_one_control(view, opened, card) for card in dict.fromkeys(card for _at, card in others)),
        )
    picked = [at for at, _card in others if _FIRST_CARD_TOKEN + at in draft]
    toggles = tuple(_card_toggle(view, at, card, is_picked=at in picked) for at, card in others)
    if not 0 < len(picked) <= board.cards[opened].amount:
        return (toggles,)
    keys = tuple(board.cards[view.hand[at]].key for at in picked)
    label = ngettext("Replace this card", "Replace these {count} cards", len(picked)).format(count=len(picked))
    move = Play(str(Replace(board.cards[opened].key, keys)))
    return toggles, (Control("replace", label, move, Tone.CHOSEN),)


def _replace_one_control(view: View, replace: Card, other: Card) -> Control:
    """Offer to replace a single card at once, where there is nothing more to choose."""
    cards = view.public.board.cards
    label = _("{replace}: {card}").format(
        replace=card_name(view.public.board, replace), card=card_name(view.public.board, other)
    )
    move = Replace(cards[replace].key, (cards[other].key,))
    return Control(f"swap_{cards[replace].amount}_{_control_key(cards[other].key)}", label, Play(str(move)))


def _card_toggle(view: View, at: int, card: Card, *, is_picked: bool) -> Control:
    name = card_name(view.public.board, card)
    label = f"✓ {name}" if is_picked else name
    return Control(f"pick_{at}", label, Toggle(_FIRST_CARD_TOKEN + at), Tone.CHOSEN if is_picked else Tone.QUIET)
