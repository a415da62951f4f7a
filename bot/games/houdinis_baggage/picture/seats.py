"""Draws the panel of each seat: points, bank, unfinished assignments and bonuses."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.games.houdinis_baggage.cards import Assignment, Card
from bot.games.houdinis_baggage.facts import latest_kept_card, newly_taken_assignments, points_gained
from bot.games.houdinis_baggage.picture.pieces import ART_FOLDER, Highlights, bonus_chip, card_marks, task_strip
from bot.games.houdinis_baggage.pieces import MAX_TASKS, GameEvent, Player, State
from bot.games.houdinis_baggage.rules import places_of
from bot.rules import components, seat_rows
from bot.rules.game import Seat
from bot.rules.picture import Align, Box, ColourRole, Label, Mark, Rect, Sprite

_WIDTH, _GAP, _SIDE = 478, 10, 17
_HEAD, _STRIP, _CHIPS = 46, 42, 34
_BETWEEN = 4
_PAD = 8
_CHIPS_IN_LINE = 7
_BANK_CARD, _BANK_PITCH = 36, 40
_MAX_BANK = 4
"""The places for bank cards, if the name leaves room for them. If the cards are more, the last place counts them."""

_NAME_SIZE, _NAME_PADDING, _MAX_LETTERS = 26, 8, 8
"""As many Latin letters are never cut."""
_LETTER, _CAPITAL, _WIDE_LETTER = 16, 18, 22
_WIDE_LETTERS = frozenset("mwMW")

_MIN_NAME_WIDTH = 40
"""What is left for the progress where names are not shown."""


def seat_panels(players: Sequence[Player], top: int) -> tuple[Rect, ...]:
    """Return the panel of each seat, two side by side, as high as the bonuses of both need."""
    panels: list[Rect] = []
    for first in range(0, len(players), 2):
        pair = players[first : first + 2]
        lines = max(1, -(-max(len(player.completed) for player in pair) // _CHIPS_IN_LINE))
        height = 2 * _PAD + _HEAD + MAX_TASKS * (_STRIP + _BETWEEN) + lines * _CHIPS
        panels += [Rect(_SIDE + column * (_WIDTH + _GAP), top, _WIDTH, height) for column in range(len(pair))]
        top += height + _GAP
    return tuple(panels)


def seat_backdrop(panels: Sequence[Rect]) -> Iterator[Mark]:
    """Yield what never changes: each seat's panel and token, and a hat in place of a fourth seat."""
    for seat, at in enumerate(panels):
        yield Box(at, ColourRole.SURFACE_SHADE, ColourRole.SURFACE_LINE, 16, 2)
        inner = at.inset(_PAD)
        yield from components.token_marks(seat, Rect(inner.x, inner.y, 44, 44))
        for room in _task_areas(inner):
            yield Box(room, None, ColourRole.SURFACE_LINE, 10, 2)
    if len(panels) % 2:
        yield Sprite(f"{ART_FOLDER}/hat", panels[-1].shift(_WIDTH + _GAP).center(240, 144))


@dataclass(frozen=True, slots=True)
class Scene:
    """What the panels show."""

    view: State
    events: Sequence[GameEvent]
    highlights: Highlights
    names: Sequence[str]


def seat_marks(scene: Scene, seat: Seat, at: Rect) -> Iterator[Mark]:
    """Yield the content of a seat's panel; the mover's is framed."""
    view = scene.view
    if seat == view.mover:
        yield Box(at, None, ColourRole.MARK, 16, components.FRAME_WIDTH, may_overlap=True)
    elif _seat_badge(view, seat) is seat_rows.Badge.CROWN:
        yield Box(at, None, ColourRole.GOLD, 16, 4, may_overlap=True)
    inner, player = at.inset(_PAD), view.players[seat]
    yield from _head_marks(scene, seat, inner)
    new = newly_taken_assignments(scene.events)
    for task, room in zip(player.tasks, _task_areas(inner), strict=False):
        yield from task_strip(task, room, scene.highlights)
        if task.assignment.number in new:
            yield from components.change_brackets(room, components.BracketSize.TIGHT)
    top = inner.y + _HEAD + MAX_TASKS * (_STRIP + _BETWEEN)
    used = view.spent if seat == view.mover else ()
    yield from _bonus_chips(player.completed, used, Rect(inner.x, top, inner.width, 33))


def _task_areas(at: Rect) -> tuple[Rect, ...]:
    """Return the places of the assignments."""
    return tuple(Rect(at.x, at.y + _HEAD + line * (_STRIP + _BETWEEN), at.width, _STRIP) for line in range(MAX_TASKS))


def _seat_badge(view: State, seat: Seat) -> seat_rows.Badge | None:
    if view.mover is None:
        return seat_rows.Badge.CROWN if places_of(view.players)[seat] == 1 else None
    return seat_rows.Badge.FLAG if view.players[seat].score >= view.options.target else None


def _head_marks(scene: Scene, seat: Seat, at: Rect) -> Iterator[Mark]:
    """Yield the points, the name above their progress to the target, and the bank in the room that the name leaves."""
    view, events = scene.view, scene.events
    player, points, badge = view.players[seat], points_gained(events, seat), _seat_badge(view, seat)
    score = Rect(at.x + 41, at.y, 54, 44)
    yield Label(str(player.score), score, ColourRole.SURFACE_TEXT, 38, Align.RIGHT, bold=True)
    goal, right = Rect(at.x + 100, at.y, 54, 44), at.right
    if points:
        yield from components.tag_marks(f"+{points}", goal.center(54, 36), ColourRole.NEW)
    elif badge is not None:
        yield _badge_sprite(badge, goal)
    else:
        yield Label(f"/{view.options.target}", goal, ColourRole.SURFACE_TEXT_FAINT, 28, Align.LEFT)
    if points and badge is not None:
        right -= goal.width
        yield _badge_sprite(badge, goal._replace(x=right))
        right -= 4
    left = at.x + 157
    if player.bank:
        room = Rect(left, at.y + 4, right - left, _BANK_CARD)
        bank = _bank_area(room, len(player.bank), _name_width(scene.names, seat))
        bankable = scene.highlights.bankable if seat == view.mover else frozenset[Card]()
        kept = latest_kept_card(events)
        newly_kept_card = kept.card if kept is not None and kept.seat == seat else None
        yield from _bank_marks(player, bank, newly_kept_card, bankable)
        right = bank.x - 4
    room = Rect(left, at.y, right - left, 44)
    full, bar = max(view.options.target, player.score), room._replace(y=room.bottom - 16, height=16)
    yield from seat_rows.score_bar_marks(seat_rows.ScoreRow(seat, player.score, points), full, bar)
    yield from components.name_labels(scene.names, seat, room._replace(height=28), size=_NAME_SIZE)


def _badge_sprite(badge: seat_rows.Badge, at: Rect) -> Sprite:
    return Sprite(badge.value, at.center(54, 40))


def _name_width(names: Sequence[str], seat: Seat) -> int:
    """Return how much room a name has at least."""
    if not names:
        return _MIN_NAME_WIDTH
    return sum(map(_letter_width, names[seat][:_MAX_LETTERS])) + _NAME_PADDING


def _letter_width(letter: str) -> int:
    """Return how wide a letter of a name is at most."""
    if letter in _WIDE_LETTERS or not letter.isascii():
        return _WIDE_LETTER
    return _CAPITAL if letter.isupper() else _LETTER


def _bank_area(room: Rect, cards: int, name_width: int) -> Rect:
    """Return the right part of a room: the case and all cards, or as many as the name leaves room for."""
    most, gap = room.width - name_width - 4, _BANK_PITCH - _BANK_CARD
    places = min(cards + 1, _MAX_BANK + 1, (most + gap) // _BANK_PITCH)
    # If not even one card fits, their number stands beside the case.
    width = places * _BANK_PITCH - gap if places > 1 else most
    return room._replace(x=room.right - width, width=width)


def _bank_marks(player: Player, at: Rect, new: Card | None, bankable: frozenset[Card]) -> Iterator[Mark]:
    """Yield the bank: a case and its cards, and how many more there are if they don't fit."""
    room = Rect(at.x, at.y, _BANK_CARD, _BANK_CARD)
    yield Sprite(f"{ART_FOLDER}/case", room)
    places = (at.width + _BANK_PITCH - _BANK_CARD) // _BANK_PITCH - 1
    shown = player.bank if len(player.bank) <= places else player.bank[: max(0, places - 1)]
    for card in shown:
        room = room.shift(_BANK_PITCH)
        yield from card_marks(card, room)
        if card in bankable:
            yield components.action_frame(room, 5, components.TIGHT_MARGIN)
        if card == new:
            yield from components.change_brackets(room, components.BracketSize.TIGHT)
            new = None
    if left := len(player.bank) - len(shown):
        count = Rect(room.right + 4, at.y, at.right - room.right - 4, at.height)
        yield Label(f"+{left}" if shown else str(left), count, ColourRole.SURFACE_TEXT, 28)


def _bonus_chips(completed: Sequence[Assignment], used: Sequence[int], at: Rect) -> Iterator[Mark]:
    """Yield the bonuses in the order they were earned."""
    for place, each in enumerate(completed):
        line, column = divmod(place, _CHIPS_IN_LINE)
        room = Rect(at.x + 66 * column, at.y + _CHIPS * line, 63, at.height)
        yield from bonus_chip(each.bonus, room, is_spent=each.number in used)
