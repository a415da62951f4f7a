"""The private screen of a hand.

The tokens of a draft are: 0 to place no marker; 1 to 4, the selected Replace card by how many cards it replaces; from
10 on, the cards to replace by their index in the hand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bot.games.change.board import Card, CardKind, Space
from bot.games.change.facts import can_play
from bot.games.change.minds.win_chances import MoveRanking
from bot.games.change.moves import DONE, Add, Keep, Move, Replace, Swap, Travel
from bot.games.change.news import new_card_lines
from bot.games.change.pieces import GameEvent, Stage, State, View
from bot.games.change.rules import legal_moves
from bot.games.change.screen import describe_other_releases
from bot.games.change.words import PROMPTS, card_name, describe_card, prompt_of, space_name
from bot.rules.screen import (
    MAX_SHORTCUTS,
    Control,
    ControlRow,
    Draft,
    Menu,
    News,
    Play,
    Screen,
    Toggle,
    Tone,
    events_of,
)
from bot.words import N_, gettext as _, join_items, ngettext, with_label

_NO_MARKER_TOKEN = 0

_PAIR_SIZE = 2
"""With two cards, a Replace card can replace only the other one."""

_FIRST_CARD_TOKEN = 10
"""The token of the first card of the hand."""


_UNPLAYABLE_REASONS: Mapping[CardKind, str] = {
    CardKind.ADD: N_("Add cards only help after a failed challenge."),
    CardKind.REPLACE: N_("A Replace card needs another card to replace."),
    CardKind.SPACE: N_("You've already used this turn's move to another space."),
    CardKind.ANY: N_("You've already used this turn's move to another space."),
}
"""Why a card can't be played after the track roll."""

_DECIDED_FIRST = N_("You can't play yet: someone else decides first.")


def build_hand_screen(
    rank: MoveRanking,
    view: View,
    news: Sequence[News[GameEvent]],
    names: Sequence[str],  # noqa: ARG001 - part of every screen builder's signature
    draft: Draft,
) -> Screen:
    """Return the screen of a seat's hand; a spectator's hand is empty."""
    public, seat = view.public, view.seat
    cards = [
        with_label(f"🎴 **{card_name(public.board, card)}**", describe_card(public.board, card)) for card in view.hand
    ]
    lines = cards or [_("You have no message cards.")]
    if seat is not None:
        lines += new_card_lines(public, events_of(news), seat, view.hand)
    is_asked = seat is not None and seat == public.mover
    return Screen(
        title=_("Your hand · {count} of 5 cards").format(count=len(view.hand)),
        text="\n".join((*lines, "", _advice(view))),
        controls=tuple([row for row in _control_rows(rank, view, draft) if row]) if is_asked else (),
        accent=seat,
        menus=_build_menus(view, draft) if is_asked else (),
    )


def hand_contents(view: View) -> tuple[object, ...]:
    """Return what a hand shows: its cards, what can be done with them, and for its buttons the position."""
    has_buttons = view.hand and view.seat == view.public.mover and view.public.stage in _STAGES_OF_CARDS
    return view.hand, _advice(view), view.public if has_buttons else None


def find_doubt(view: View, move: str) -> str:
    """Return which space a card of the hand leads to that wins at once, before the turn ends. Rules CH-12 and CH-M4."""
    public = view.public
    if move != str(DONE):
        return ""
    left = public.credits[public.turn]
    winning = [space for space in _reachable(view) if left + public.change_for_lander(public.turn, space) <= 0]
    if not winning:
        return ""
    line = _("Your card takes you to {space}, and you win! To end your turn anyway, press *{button}* again.")
    return line.format(space=space_name(public.board.spaces[winning[0]]), button=_("End turn"))


_STAGES_OF_CARDS = (Stage.FREE, Stage.SWAP, Stage.KEEP)


def _advice(view: View) -> str:
    """Return which cards can be played now, or why none can."""
    public = view.public
    if not view.hand:
        return _("Nothing to play. You get cards from Start, doubles and corners.")
    if view.seat != public.mover:
        return _(_DECIDED_FIRST if view.seat == public.turn else PROMPTS[Stage.ROLL].in_hand)
    advice = _(prompt_of(public).in_hand)
    if public.stage is not Stage.FREE:
        return advice
    cards, kinds = dict.fromkeys(view.hand), public.board.cards
    playable = [card_name(public.board, card) for card in cards if can_play(view, card)]
    if not playable:
        reasons = dict.fromkeys(_(_UNPLAYABLE_REASONS[kinds[card].kind]) for card in cards)
        return " ".join((_("You can't play any card right now."), *reasons))
    advice = advice.format(cards=join_items(playable))
    if not public.may_challenge:
        return advice
    return " ".join((advice, _("That gives up the challenge of the space you're on.")))


def _control_rows(rank: MoveRanking, view: View, draft: Draft) -> tuple[ControlRow, ...]:
    """Return the buttons; if one makes one of the best three moves, the best of them is the next step."""
    rows: tuple[ControlRow, ...]
    match view.public.stage:
        case Stage.SWAP | Stage.KEEP:
            rows = (tuple(_card_control(view, card) for card in dict.fromkeys(view.hand)),)
        case Stage.FREE:
            rows = (_play_row(view, draft), _toggle_row(view, draft), *_replace_rows(view, draft))
        case _:
            return ()
    if any(control.tone is Tone.CHOSEN for row in rows for control in row):
        return rows
    best = list(rank(view, _legal_moves(view)).items())[:MAX_SHORTCUTS]
    blank = next((move for move, _value in best if isinstance(move, Travel) and move.by_any), None)
    if blank is not None:
        # The menu has this line, too, but a button is pressed at once, and can stand out.
        control = _travel_control(view, draft, view.public.board.space_by_key[blank.space], by_any=True)
        rows = ((replace(control, key="best"), *rows[0]), *rows[1:])
    worth: dict[Toggle | Play, float] = {Play(str(move)): value for move, value in best}
    good = [each for row in rows for each in row if each.effect in worth]
    next_step = max(good, key=lambda each: worth[each.effect], default=None)
    return tuple(
        [tuple([replace(each, tone=Tone.CHOSEN) if each is next_step else each for each in row]) for row in rows]
    )


def _legal_moves(view: View) -> tuple[Move, ...]:
    hands = tuple([view.hand if seat == view.seat else () for seat in range(len(view.public.credits))])
    return tuple(legal_moves(State(view.public, hands, ())))


def _control_key(key: str) -> str:
    """Return the part of a control's key that names a card."""
    return key.replace("-", "_")


def _card_control(view: View, card: Card) -> Control:
    """Return the button that replaces or keeps a card. Rules CH-C2 and CH-S6."""
    board, is_swap = view.public.board, view.public.stage is Stage.SWAP
    key = board.cards[card].key
    label = _("Replace: {card}") if is_swap else _("Keep: {card}")
    move = Play(str(Swap(key) if is_swap else Keep(key)))
    prefix = "swap" if is_swap else "keep"
    return Control(f"{prefix}_{_control_key(key)}", label.format(card=card_name(board, card)), move)


def _play_row(view: View, draft: Draft) -> ControlRow:
    """Return the buttons of Add cards and of cards that name a space. Rules CH-7 and CH-M4."""
    public, board = view.public, view.public.board
    found = []
    left_by_card = {card: public.missing - board.cards[card].amount for card in view.hand}
    # The smallest Add card that suffices comes first, and then the largest of the others.
    for card, left in sorted(left_by_card.items(), key=lambda pair: (pair[1] > 0, abs(pair[1]))):
        face = board.cards[card]
        if face.kind is CardKind.ADD and public.missing:
            label = _("Add {points}: {left} to go") if left > 0 else _("Add {points}: success!")
            label = label.format(points=face.amount, left=left)
            found.append(Control(_control_key(face.key), label, Play(str(Add(face.key)))))
        if face.kind is CardKind.SPACE and face.space is not None and public.may_travel:
            found.append(_travel_control(view, draft, face.space))
    return tuple(found)


def _travel_control(view: View, draft: Draft, space: Space, *, by_any: bool = False) -> Control:
    """Return the button that goes to a space with a card, placing a marker if possible and wanted. Rule CH-M4."""
    public, name = view.public, space_name(view.public.board.spaces[space])
    change = public.change_for_lander(public.turn, space)
    places = _can_place(view, space) and _NO_MARKER_TOKEN not in draft
    label = _("{space}: mark it, receive {credits}") if places else _("{space}: receive {credits}")
    if change < 0:
        label = _("{space}: release {credits}")
    label = label.format(space=name, credits=abs(change))
    key = public.board.keys[space]
    return Control(f"go_{key}{'_any' * by_any}", label, Play(str(Travel(by_any, key, places))))


def _can_place(view: View, space: Space) -> bool:
    public = view.public
    return public.markers_left(public.turn) > 0 and not public.markers[public.turn] >> space & 1


def _build_menus(view: View, draft: Draft) -> tuple[Menu, ...]:
    """Return a menu of all challenge spaces for the blank card, if the hand has one. Rule CH-M4."""
    public, board = view.public, view.public.board
    blank = next((card for card in view.hand if board.cards[card].kind is CardKind.ANY), None)
    if blank is None or public.stage is not Stage.FREE or not public.may_travel:
        return ()
    entries = tuple(
        replace(_travel_control(view, draft, space, by_any=True), description=describe_other_releases(public, space))
        for space in board.challenge_spaces
    )
    return (Menu("any", _("Any space: go to …"), entries),)


def _toggle_row(view: View, draft: Draft) -> ControlRow:
    """Return the controls that change others: the marker toggle, and the Replace cards."""
    board = view.public.board
    found = []
    if any(_can_place(view, space) for space in _reachable(view)):
        is_off = _NO_MARKER_TOKEN in draft
        label = _("Mark the space, too") if is_off else _("Go without marking it")
        found.append(Control("marker", label, Toggle(_NO_MARKER_TOKEN)))
    if len(view.hand) == _PAIR_SIZE:
        pairs = dict.fromkeys((view.hand, view.hand[::-1]))
        found += [_replace_one_control(view, *pair) for pair in pairs if pair[0] in _replace_cards(view)]
    elif len(view.hand) > _PAIR_SIZE:
        selected = _selected_replace_card(view, draft)
        amounts = frozenset(board.cards[card].amount for card in _replace_cards(view))
        for card in _replace_cards(view):
            token = board.cards[card].amount
            label = _("{card}: choose the cards …").format(card=card_name(board, card))
            label = f"✓ {label}" if card == selected else label
            found.append(Control(f"open_{token}", label, Toggle(token, amounts - {token})))
    return tuple(found)


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
    """Return the Replace card for which cards are being picked, or None."""
    cards = view.public.board.cards
    return next((card for card in _replace_cards(view) if cards[card].amount in draft), None)


def _replace_rows(view: View, draft: Draft) -> tuple[ControlRow, ...]:
    """Return the cards to pick for the selected Replace card, and the button that replaces them. Rule CH-M3."""
    selected, board = _selected_replace_card(view, draft), view.public.board
    if selected is None or len(view.hand) <= _PAIR_SIZE:
        return ()
    first = view.hand.index(selected)
    others = [(at, card) for at, card in enumerate(view.hand) if at != first]
    if board.cards[selected].amount == 1:
        cards = dict.fromkeys(card for _at, card in others)
        return (tuple(_replace_one_control(view, selected, card) for card in cards),)
    picked = [at for at, _card in others if _FIRST_CARD_TOKEN + at in draft]
    toggles = tuple(
        Control(f"pick_{at}", f"{'✓ ' * (at in picked)}{card_name(board, card)}", Toggle(_FIRST_CARD_TOKEN + at))
        for at, card in others
    )
    if not 0 < len(picked) <= board.cards[selected].amount:
        return (toggles,)
    keys = tuple(board.cards[view.hand[at]].key for at in picked)
    label = ngettext("Replace this card", "Replace these {count} cards", len(picked)).format(count=len(picked))
    move = Play(str(Replace(board.cards[selected].key, keys)))
    return ((*toggles, Control("replace", label, move, Tone.CHOSEN)),)


def _replace_one_control(view: View, card: Card, other: Card) -> Control:
    """Return the button that plays a Replace card for one other card."""
    board = view.public.board
    face, key = board.cards[card], board.cards[other].key
    label = with_label(card_name(board, card), card_name(board, other))
    return Control(f"swap_{face.amount}_{_control_key(key)}", label, Play(str(Replace(face.key, (key,)))))
