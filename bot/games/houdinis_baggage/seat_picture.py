"""The seats in the picture of Mr. Houdini's Baggage: the mover with all they have, and a line for everyone else."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from bot.games.houdinis_baggage.cards import Assignment, Card
from bot.games.houdinis_baggage.facts import (
    bonuses_of,
    latest_kept_card,
    nearest_task,
    newly_completed,
    newly_taken_assignments,
    points_gained,
    winners_of,
)
from bot.games.houdinis_baggage.picture_pieces import (
    ART_FOLDER,
    Highlights,
    bonus_chip,
    card_marks,
    completed_panel,
    panel_chip,
    panel_stamp,
    points_plate,
    task_panel,
    tile_marks,
)
from bot.games.houdinis_baggage.pieces import MAX_TASKS, GameEvent, Phase, Player, State, Task
from bot.reading_order import in_reading_order, place_in_reading_order
from bot.rules.components import (
    FRAME_WIDTH,
    TIGHT_MARGIN,
    BracketSize,
    Nameplate,
    action_frame,
    change_brackets,
    name_labels,
    tag_marks,
    token_marks,
)
from bot.rules.game import Seat
from bot.rules.motion import MovingPiece
from bot.rules.picture import MIN_TEXT_SIZE, Align, Box, ColourRole, Label, Mark, Rect, Sprite
from bot.rules.seat_rows import SeatRow, SeatSign, score_bar_marks

_TOKEN, _SCORE_WIDTH, _GAIN_WIDTH, _BADGE_WIDTH = 60, 76, 104, 54
_NAME_WIDTHS, _LETTER_WIDTH = (176, 334), 22
_BAR, _GAP, _PAD = 10, 8, 8

_SMALL_CARD, _CARD_PITCH = 46, 52
_CHIP_WIDTH, _CHIP_HEIGHT, _CHIP_PITCH, _GIFT, _MOST_CHIPS, _COUNT_WIDTH = 96, 46, 102, 44, 12, 58
_TILE_WIDTH, _TILE_PITCH = 72, 75
_PLATE_WIDTH, _COUNTS_WIDTH = 50, 164

_SWINGS = ((70, -20), (90, 0), (110, 16), (145, 0))
"""The looks of a stamp before it comes down: its size in per cent, and its angle in degrees."""


@dataclass(frozen=True, slots=True)
class Seats:
    """What the seats have, and what has just changed."""

    view: State
    events: Sequence[GameEvent]
    nameplates: Sequence[Nameplate]


@dataclass(frozen=True, slots=True)
class _Line:
    """The areas of a seat's line."""

    token: Rect
    name: Rect
    room: Rect
    """What is left between name and score."""
    score: Rect
    bar: Rect


def _lay_out(at: Rect, nameplates: Sequence[Nameplate]) -> _Line:
    least, most = _NAME_WIDTHS
    longest = max((len(each.name) for each in nameplates), default=0)
    upper = Rect(at.x, at.y, at.width, at.height - _BAR)
    token = at._replace(width=_TOKEN).center(_TOKEN, _TOKEN)
    name = Rect(token.right + 10, upper.y, max(least, min(most, longest * _LETTER_WIDTH)), upper.height)
    score = Rect(upper.right - _SCORE_WIDTH, upper.y, _SCORE_WIDTH, upper.height)
    room = Rect(name.right + _GAP, upper.y, score.x - name.right - 2 * _GAP, upper.height)
    bar = Rect(name.x, at.bottom - _BAR, at.right - name.x, _BAR)
    return _Line(token, name, room, score, bar)


def line_marks(seats: Seats, seat: Seat, at: Rect) -> Iterator[Mark]:
    """Yield a seat in a line: what it has nearly done, and how many cards and bonuses it has. A winner's is framed."""
    yield from in_reading_order(_line_marks(seats, seat, at), at)


def _line_marks(seats: Seats, seat: Seat, at: Rect) -> Iterator[Mark]:
    player, has_won = seats.view.players[seat], seat in winners_of(seats.view)
    ink, width = (ColourRole.GOLD, FRAME_WIDTH) if has_won else (ColourRole.SURFACE_LINE, 2)
    yield Box(at, ColourRole.SURFACE_SHADE, ink, 14, width)
    line = _lay_out(at.inset(4)._replace(x=at.x + 10, width=at.width - 24), seats.nameplates)
    yield from _score_marks(seats, seat, line)
    room = line.room
    if points := points_gained(seats.events, seat):
        yield from _gain_marks(points, room)
        room = room._replace(width=room.width - _GAIN_WIDTH - _GAP)
    task = list(_nearest_task_marks(nearest_task(player), room))
    # Beside long names there is only room for what is nearly done, and for the counts if little of it is left.
    if max((mark.at.right for mark in task), default=0) > room.right:
        task = []
    yield from task
    counts = Rect(room.right - _COUNTS_WIDTH, room.y, _COUNTS_WIDTH, room.height)
    if counts.x >= max((mark.at.right for mark in task), default=0):
        yield from _count_marks(seats, seat, counts)


def _score_marks(seats: Seats, seat: Seat, line: _Line) -> Iterator[Mark]:
    """Yield the token, the name and the points of a seat above its progress to the target."""
    view, score = seats.view, seats.view.players[seat].score
    yield from token_marks(seats.nameplates, seat, line.token, MIN_TEXT_SIZE)
    yield from name_labels(seats.nameplates, seat, line.name, size=min(42, line.name.height - 4))
    yield Label(str(score), line.score, ColourRole.SURFACE_TEXT, 56, Align.RIGHT, bold=True)
    full = max(view.options.target, score)
    yield from score_bar_marks(SeatRow(seat, score, points_gained(seats.events, seat)), full, line.bar)


def _gain_marks(points: int, at: Rect) -> Iterator[Mark]:
    height = min(44, at.height)
    yield from tag_marks(
        f"+{points}",
        at._replace(x=at.right - _GAIN_WIDTH, width=_GAIN_WIDTH).center(104, height),
        ColourRole.NEW,
        size=40,
    )


def _nearest_task_marks(task: Task | None, at: Rect) -> Iterator[Mark]:
    """Yield the points of an assignment and what it lacks."""
    if task is None:
        return
    height = min(46, at.height)
    plate = Rect(at.x, at.y + (at.height - height) // 2, _PLATE_WIDTH, height)
    yield from points_plate(task.assignment, plate, 40)
    lacking = [item for _spot, item, card in task.cells() if card is None]
    for nth, item in enumerate(lacking):
        tile = Rect(plate.right + _GAP + _TILE_PITCH * nth, plate.y, _TILE_WIDTH, height)
        yield from tile_marks(item, None, tile)


def _count_marks(seats: Seats, seat: Seat, at: Rect) -> Iterator[Mark]:
    """Yield how many cards are in a bank and how many bonuses a seat has, with the card that was just kept."""
    player, kept = seats.view.players[seat], latest_kept_card(seats.events)
    counts = ((len(player.bank), "case"), (len(player.completed), "gift"))
    for (count, art), place in zip(counts, at.split_columns(2, 4), strict=True):
        if count:
            sign = place._replace(width=40).center(40, 40)
            yield Sprite(f"{ART_FOLDER}/{art}", sign)
            number = Rect(sign.right, place.y, place.right - sign.right, place.height)
            is_new = art == "case" and kept is not None and kept.seat == seat
            if is_new:
                yield Box(number.center(number.width, 40), ColourRole.NEW, radius=12)
            yield Label(str(count), number, ColourRole.TEXT if is_new else ColourRole.SURFACE_TEXT, 38, bold=True)


def mover_marks(seats: Seats, highlights: Highlights, at: Rect) -> Iterator[Mark]:
    """Yield the mover: points and bank in a line, the bonuses in the next, and both assignments at full size.

    After a twin, which takes the room of the bonuses, none of them can be used.
    """
    view, seat = seats.view, seats.view.mover or 0
    player, is_twin = view.players[seat], view.phase is Phase.TWIN
    head, chips, panels = mover_areas(at, 0 if is_twin else _CHIP_HEIGHT)
    yield from in_reading_order(_head_marks(seats, seat, highlights, head), head)
    if not is_twin:
        yield from _chip_marks(bonuses_of(view, seat), newly_completed(seats.events), chips)
    new, done = newly_taken_assignments(seats.events), newly_completed(seats.events)
    for task, room in zip(player.tasks, panels, strict=False):
        yield from task_panel(task, room, highlights)
        if task.assignment.number in new:
            yield from change_brackets(room, BracketSize.TIGHT)
    # A place that is free shows what was completed on it.
    for assignment, room in zip_longest(done, panels[len(player.tasks) :]):
        if room and assignment:
            yield from completed_panel(assignment, room)
        elif room:
            yield Box(room, None, ColourRole.SURFACE_LINE, 12, 2)


def _head_marks(seats: Seats, seat: Seat, highlights: Highlights, at: Rect) -> Iterator[Mark]:
    view, player, line = seats.view, seats.view.players[seat], _lay_out(at, seats.nameplates)
    yield from _score_marks(seats, seat, line)
    room = line.room
    if points := points_gained(seats.events, seat):
        yield from _gain_marks(points, room)
    elif player.score >= view.options.target:
        yield Sprite(
            SeatSign.FLAG.value, Rect(room.right - _BADGE_WIDTH, room.y, _BADGE_WIDTH, room.height).center(54, 40)
        )
    bank = room._replace(width=room.width - _GAIN_WIDTH - _GAP)
    yield from _bank_marks(player, bank, highlights.bankable)


def mover_areas(at: Rect, bonuses: int = _CHIP_HEIGHT) -> tuple[Rect, Rect, tuple[Rect, ...]]:
    """Return the areas of the mover's line, bonuses and assignments, which get half of the height and more.

    Args:
        at: The area of all.
        bonuses: The height of the bonuses.
    """
    inner = at.inset(_PAD)._replace(x=at.x + 12, width=at.width - 24)
    head = inner._replace(height=max(62, min(84, inner.height // 4)))
    chips = Rect(inner.x, head.bottom + 4, inner.width, bonuses)
    below = Rect(inner.x - 4, chips.bottom + 6, inner.width + 8, inner.bottom - chips.bottom - 6)
    panels = [place_in_reading_order(panel, below) for panel in below.split_columns(MAX_TASKS, _GAP)]
    return head, chips, tuple(panels)


def _bank_marks(player: Player, at: Rect, bankable: frozenset[Card]) -> Iterator[Mark]:
    """Yield the bank: a case and its cards, and how many more there are if they don't fit."""
    if not player.bank:
        return
    places = at.width // _CARD_PITCH - 1
    shown = player.bank if len(player.bank) <= places else player.bank[: places - 1]
    room = Rect(at.x, at.y + (at.height - _SMALL_CARD) // 2, _SMALL_CARD, _SMALL_CARD)
    yield Sprite(f"{ART_FOLDER}/case", room)
    for card in shown:
        room = room.shift(_CARD_PITCH)
        yield from card_marks(card, room)
        if card in bankable:
            yield action_frame(room, 6, TIGHT_MARGIN)
    if left := len(player.bank) - len(shown):
        count = Rect(room.right + 2, at.y, _CARD_PITCH + 6, at.height)
        yield Label(f"+{left}", count, ColourRole.SURFACE_TEXT, 38)


def _chip_marks(bonuses: Sequence[tuple[Assignment, bool]], new: Sequence[Assignment], at: Rect) -> Iterator[Mark]:
    """Yield the newest bonuses in the order they were earned, new ones in brackets, and how many are older."""
    if not bonuses:
        return
    shown = bonuses[-_MOST_CHIPS:]
    around: list[Mark] = [Sprite(f"{ART_FOLDER}/gift", at._replace(width=_GIFT).center(_GIFT, _GIFT))]
    if left := len(bonuses) - len(shown):
        count = Rect(at.right - _COUNT_WIDTH, at.y, _COUNT_WIDTH, at.height)
        around.append(Label(f"+{left}", count, ColourRole.SURFACE_TEXT, 38))
    yield from in_reading_order(around, at)
    for (each, is_used), chip in zip(shown, _chip_areas(len(bonuses), at), strict=True):
        yield from bonus_chip(each.bonus, chip, is_spent=is_used)
        if each in new:
            yield from change_brackets(chip, BracketSize.TIGHT)


def _chip_areas(count: int, at: Rect) -> tuple[Rect, ...]:
    """Return the areas of the newest of some bonuses."""
    shown = min(count, _MOST_CHIPS)
    width = at.width - _GIFT - _GAP - (_COUNT_WIDTH if count > shown else 0)
    pitch = min(_CHIP_PITCH, width // shown)
    left = at.x + _GIFT + _GAP
    areas = (Rect(left + pitch * place, at.y, pitch - (_CHIP_PITCH - _CHIP_WIDTH), at.height) for place in range(shown))
    return tuple([place_in_reading_order(area, at) for area in areas])


def stamps(view: State, at: Rect) -> Iterator[tuple[Sprite, MovingPiece]]:
    """Yield the stamps of the mover's filled assignments, and how each swings until it comes down. Rule HB-9."""
    _head, _chips, panels = mover_areas(at)
    for task, room in zip(view.acting.tasks, panels, strict=False):
        if task.is_filled:
            stamp = panel_stamp(task.assignment, room)
            area = stamp.at.inset(-stamp.at.width // 4)
            looks = tuple(
                (stamp._replace(at=area.center(side, side), rotation=turn),)
                for side, turn in ((stamp.at.width * share // 100, turn) for share, turn in _SWINGS)
            )
            yield stamp, MovingPiece(area, looks, (stamp,))


def flying_bonuses(view: State, at: Rect, share: float) -> Iterator[Mark]:
    """Yield the bonuses of the mover's filled assignments in the row of the others, some way to their places there."""
    _head, chips, panels = mover_areas(at)
    done = [(task, room) for task, room in zip(view.acting.tasks, panels, strict=False) if task.is_filled]
    ends = _chip_areas(len(view.acting.completed) + len(done), chips)[-len(done) :]
    beside_count = place_in_reading_order(chips._replace(width=chips.width - _COUNT_WIDTH), chips)
    for (task, room), end in zip(done, ends, strict=True):
        # The count of older bonuses stays visible.
        start = min(max(panel_chip(room).x, beside_count.x), beside_count.right - end.width)
        chip = end._replace(x=round(start + share * (end.x - start)))
        yield from (mark._replace(may_overlap=True) for mark in bonus_chip(task.assignment.bonus, chip))
