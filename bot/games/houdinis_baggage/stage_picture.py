"""The stage of Mr. Houdini's Baggage: open cards with their values, posters, twins, and how the last turn ended."""

from collections.abc import Iterator, Sequence
from typing import Final

from bot.games.houdinis_baggage.cards import Assignment, Card, Trait, trait_values
from bot.games.houdinis_baggage.facts import (
    latest_kept_card,
    newest_twin,
    newly_completed,
    newly_opened_card,
    winners_of,
)
from bot.games.houdinis_baggage.picture_pieces import (
    ART_FOLDER,
    POSTER_HEIGHT,
    POSTER_WIDTH,
    Highlights,
    bonus_chip,
    card_marks,
    card_sprite,
    poster_marks,
    trait_sprite,
)
from bot.games.houdinis_baggage.pieces import ROW_SIZE, CardKept, GameEvent, LastRound, Phase, State
from bot.rules.components import (
    FRAME_MARGIN,
    TIGHT_MARGIN,
    BracketSize,
    Nameplate,
    action_frame,
    change_brackets,
    name_labels,
    tag_marks,
    token_marks,
)
from bot.rules.game import find_newest
from bot.rules.motion import MovingPiece
from bot.rules.picture import MIN_TEXT_SIZE, PICTURE_WIDTH, Align, Box, ColourRole, Label, Mark, Rect, Sprite
from bot.rules.seat_rows import SeatSign

STAGE: Final = Rect(0, 0, PICTURE_WIDTH, 290)
CARDS: Final = Rect(12, 8, PICTURE_WIDTH - 24, 220)
"""Where the open cards lie."""
VALUES: Final = Rect(12, 236, PICTURE_WIDTH - 24, 50)
"""Where the eight values stand."""

_WIDEST_CARD, _CARD_GAP, _MOST_IN_LINE = 180, 10, 8
_MIN_ROOMY_GAP = 14
"""With a smaller gap between the cards, their frames are narrower."""

_POSTERS = Rect(16, 3, PICTURE_WIDTH - 32, POSTER_HEIGHT)
_TRUNK = Rect(50, 56, 900, 197)
"""The trunk in the middle of the stage, with the magician's things around it."""

_BESIDE_POSTERS, _FLAG_WIDTH = 210, 190
"""What is beside completed assignments: their points and bonuses, and the points to beat."""

_RAYS = (1000, 560)
_TWIN_FRAME, _TWIN_EDGE = 14, 78
_OTHER = Rect(0, 0, 150, 104)
_MIN_RINGED_GAP = 16

_PLAQUE, _PLAQUE_SCORE, _NAME_TOP, _BELOW_PLAQUE = Rect(225, 0, 550, 250), 212, 160, 28
"""The plaque of the winner, the room for the score in it and for what is above the name, and the gap below it."""


def stage_marks(view: State, events: Sequence[GameEvent], highlights: Highlights) -> Iterator[Mark]:
    """Yield what is on the stage during a turn, except after a twin was opened."""
    if view.phase is Phase.CHOOSE:
        yield from _choice_marks(view)
    elif view.open or view.phase is Phase.PLACE:
        yield from _open_card_marks(view, events, highlights)
        yield from _value_marks(view)
    elif (kept := latest_kept_card(events)) and (twin := newest_twin(events)) is not None:
        yield from _lost_cards_marks(kept, twin)
    elif completed := newly_completed(events):
        yield from _completed_marks(view, events, completed)
    else:
        yield Sprite(f"{ART_FOLDER}/trunk", _TRUNK, may_overlap=True)


def search_marks(view: State, events: Sequence[GameEvent], turning: int = 0) -> Iterator[Mark]:
    """Yield the stage while cards turn over, or rest and the last proves to be a twin; the others make room for them.

    Args:
        view: The position before they are open, or after that.
        events: The events before it.
        turning: How many cards turn over; otherwise the last two equal cards are framed.
    """
    places, margin = _card_places(len(view.open) + turning)
    twins = [index for index, card in enumerate(view.open) if not turning and card == view.open[-1]]
    for index, (card, at) in enumerate(zip(view.open, places, strict=False)):
        yield from card_marks(card, at)
        if index in twins:
            yield Box(at.inset(-margin), None, ColourRole.BAD, at.width // 7 + margin, margin, may_overlap=True)
        elif turning and card == newly_opened_card(events):
            yield from change_brackets(at, _bracket_size(margin))
    yield from _value_marks(view)


def turning_cards(view: State, cards: Sequence[Card]) -> tuple[MovingPiece, ...]:
    """Return the next cards, which turn over; all but the last do so faster, and from the back to the edge at once."""
    places, _margin = _card_places(len(view.open) + len(cards))
    pieces = [_turning_card(card, at) for card, at in zip(cards, places[len(view.open) :], strict=True)]
    return (*[piece._replace(looks=(piece.looks[0], piece.looks[2])) for piece in pieces[:-1]], pieces[-1])


def _turning_card(card: Card, at: Rect) -> MovingPiece:
    """Return a card that turns over: its back, its edge, the blank of its face, and at rest its face."""
    back = (at, at.center(at.width * 3 // 5, at.height))
    blank = at.center(at.width * 3 // 5, at.height)
    edge = at.center(at.width // 10, at.height)
    looks = (
        *[_back_marks(each) for each in back],
        (Box(edge, ColourRole.PAPER_SHADE, radius=edge.width // 3),),
        (Box(blank, ColourRole.PAPER, radius=blank.width // 7, is_raised=True),),
    )
    return MovingPiece(at, looks, card_marks(card, at))


def _back_marks(at: Rect) -> tuple[Mark, ...]:
    """Return the back of a card, which is the same for all."""
    within, radius = at.inset(at.width // 12), at.width // 7
    return (
        Box(at, ColourRole.PAPER, radius=radius, is_raised=True),
        Box(within, ColourRole.SURFACE, ColourRole.GOLD, radius * 3 // 4, 5, is_striped=True),
    )


def _open_card_marks(view: State, events: Sequence[GameEvent], highlights: Highlights) -> Iterator[Mark]:
    """Yield the open cards; those that can be placed in frames, the new one in brackets.

    No two of them are equal, since a twin has a picture of its own.
    """
    new, (places, margin) = newly_opened_card(events), _card_places(len(view.open))
    for card, at in zip(view.open, places, strict=True):
        yield from card_marks(card, at)
        if card in highlights.playable:
            yield action_frame(at, min(at.width, at.height) // 7, margin)
        if card == new:
            yield from change_brackets(at, _bracket_size(margin))


def _card_places(count: int) -> tuple[tuple[Rect, ...], int]:
    """Return where a number of cards lie, in two lines if they are many, and how far their frames reach."""
    lines = CARDS.split_rows(2 if count > _MOST_IN_LINE else 1, _CARD_GAP)
    in_line = -(-count // len(lines))
    pitch = CARDS.width // max(ROW_SIZE, in_line)
    width = min(_WIDEST_CARD, pitch - _CARD_GAP)
    margin = FRAME_MARGIN if pitch - width >= _MIN_ROOMY_GAP and len(lines) == 1 else TIGHT_MARGIN
    places = []
    for index in range(count):
        line, column = divmod(index, in_line)
        left = lines[line].center(pitch * min(in_line, count - line * in_line), 0).x
        room = Rect(left + pitch * column, lines[line].y, pitch, lines[line].height)
        places.append(room.center(width, room.height))
    return tuple(places), margin


def _bracket_size(margin: int) -> BracketSize:
    return BracketSize.USUAL if margin == FRAME_MARGIN else BracketSize.TIGHT


def _value_marks(view: State) -> Iterator[Mark]:
    """Yield how many of each colour and shape are open. Rule HB-2."""
    areas = VALUES.split_columns(len(Trait), 8)
    for trait, value, at in zip(Trait, trait_values(view.open), areas, strict=True):
        yield Box(at, ColourRole.PAPER if value else ColourRole.PAPER_SHADE, radius=12)
        yield trait_sprite(trait, Rect(at.x + 8, at.y + 4, 42, 42))
        room = Rect(at.x + 52, at.y, at.width - 54, at.height)
        yield Label(str(value), room, ColourRole.TEXT if value else ColourRole.TEXT_FAINT, 44, bold=bool(value))


def _choice_marks(view: State) -> Iterator[Mark]:
    """Yield the assignments of which the mover chooses one."""
    for assignment, room in zip(view.row, _POSTERS.split_columns(ROW_SIZE, 17), strict=False):
        yield from poster_marks(assignment, room)
        yield action_frame(room.inset(2), 10, TIGHT_MARGIN)


def rays(height: int) -> Sprite:
    """Return the scenery of a twin, whose middle is that of the upper part of a picture."""
    width, full = _RAYS
    return Sprite(f"{ART_FOLDER}/rays", Rect(0, (height - full) // 2, width, full), may_overlap=True)


def twin_marks(view: State, height: int) -> Iterator[Mark]:
    """Yield the twins, and below them the other open cards; each of them can be kept. Rule HB-4."""
    twin = view.open[-1]
    others = [card for card in view.open if card != twin]
    room = Rect(_TWIN_EDGE, 22, PICTURE_WIDTH - 2 * _TWIN_EDGE, height - (_OTHER.height + 58 if others else 44))
    for at in room.split_columns(2, 20):
        yield from card_marks(twin, at.inset(_TWIN_FRAME))
        yield Box(at, None, ColourRole.MARK, 28, _TWIN_FRAME, may_overlap=True)
    below = Rect(12, height - 18 - _OTHER.height, PICTURE_WIDTH - 24, _OTHER.height)
    pitch = min(290, below.width // max(1, len(others)))
    left = below.center(pitch * len(others), 0).x
    for index, card in enumerate(others):
        place = Rect(left + pitch * index, below.y, pitch, below.height)
        at = place.center(min(_OTHER.width, pitch - _MIN_RINGED_GAP), below.height)
        yield from card_marks(card, at)
        yield action_frame(at, min(at.width, at.height) // 7, TIGHT_MARGIN)


def _lost_cards_marks(kept: CardKept, twin: Card) -> Iterator[Mark]:
    """Yield the twins that ended the last turn, the card that was kept, and how many were lost."""
    for at in Rect(70, 34, 420, 220).split_columns(2, 20):
        yield from card_marks(twin, at)
        yield Box(at.inset(-TIGHT_MARGIN), None, ColourRole.BAD, 32, 8, may_overlap=True)
    case = Rect(560, 44, 200, 200)
    yield Sprite(f"{ART_FOLDER}/case", case)
    yield card_sprite(kept.card, Rect(case.x + 60, case.y + 78, 80, 80))
    plates = Rect(776, 56, 200, 176).split_rows(2, 20)
    for text, at, fill in (("+1", plates[0], ColourRole.NEW), (f"−{len(kept.lost)}", plates[1], ColourRole.BAD)):
        plate, number = tag_marks(text, at, fill, size=60)
        # A blank card says what is counted.
        card = Rect(at.right - 72, at.y, 40, at.height).center(40, 54)
        yield from (plate, number._replace(at=Rect(at.x + 14, at.y, card.x - at.x - 14, at.height)))
        yield Box(card, ColourRole.PAPER, ColourRole.TEXT, 8, 4)


def _completed_marks(view: State, events: Sequence[GameEvent], completed: Sequence[Assignment]) -> Iterator[Mark]:
    """Yield the assignments that the last turn has completed, their points and bonuses, and the score to beat."""
    is_last, width = find_newest(LastRound, events) is not None, (POSTER_WIDTH + 20) * len(completed) - 20
    left = (PICTURE_WIDTH - width - (_BESIDE_POSTERS + (_FLAG_WIDTH if is_last else 0))) // 2
    posters = Rect(left, 3, width, POSTER_HEIGHT)
    for assignment, at in zip(completed, posters.split_columns(len(completed), 20), strict=True):
        yield from poster_marks(assignment, at, is_done=True)
    left = posters.right + 40
    plate = Rect(left, 40, 170, 100)
    yield from tag_marks(f"+{sum(each.points for each in completed)}", plate, ColourRole.NEW, size=76)
    for at, assignment in zip(Rect(left, 160, 170, 104).split_rows(len(completed), 8), completed, strict=True):
        yield from bonus_chip(assignment.bonus, at)
    if is_last:
        flag = Rect(left + 230, 56, 108, 80)
        yield Sprite("flag", flag)
        best = max(player.score for player in view.players)
        yield from tag_marks(str(best), Rect(flag.x - 12, flag.bottom + 20, 132, 84), ColourRole.GOLD, size=64)


def winner_marks(view: State, nameplates: Sequence[Nameplate], floor: int) -> Iterator[Mark]:
    """Yield the plaque of the winner in the spotlight, below a crown; winners who tie share one without names.

    Args:
        view: The position at the end.
        nameplates: Who has the seats.
        floor: Where the stage ends.
    """
    winners = winners_of(view)
    plaque = _PLAQUE._replace(y=floor - _BELOW_PLAQUE - _PLAQUE.height)
    yield Sprite(SeatSign.CROWN.value, Rect(0, plaque.y - 88, PICTURE_WIDTH, 80).center(108, 80))
    yield Box(plaque, ColourRole.GOLD, ColourRole.TEXT, 36, 6, is_raised=True)
    for art, left, (width, height) in (("case", 44, (160, 160)), ("hat", 780, (210, 126))):
        yield Sprite(f"{ART_FOLDER}/{art}", Rect(left, floor - _BELOW_PLAQUE - height, width, height))
    is_alone = len(winners) == 1
    side, upper = (96 if is_alone else 64), plaque.inset(16)
    if is_alone:
        upper, name = upper._replace(height=_NAME_TOP), upper._replace(y=upper.y + _NAME_TOP, height=64)
        yield from name_labels(nameplates, winners[0], name, ColourRole.TEXT, size=60, align=Align.CENTRE)
    pitch = side + 12
    line = upper.center(len(winners) * pitch + _PLAQUE_SCORE, upper.height)
    for nth, seat in enumerate(winners):
        token = Rect(line.x + nth * pitch, line.y, side, line.height).center(side, side)
        yield from token_marks(nameplates, seat, token, MIN_TEXT_SIZE)
    score = Rect(line.right - _PLAQUE_SCORE, line.y, _PLAQUE_SCORE, line.height)
    yield Label(str(view.players[winners[0]].score), score, ColourRole.TEXT, 170, bold=True)
