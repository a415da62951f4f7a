"""The picture of Fortune: the card, the dice, the skulls, the stakes, and a row for each seat."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from bot.games.fortune.card_picture import CARD_SIZE, card_marks
from bot.games.fortune.dice_picture import FACE_ART, dice_marks, die_marks, moving_die, skull_marks
from bot.games.fortune.facts import (
    FirstRollRisk,
    Stage,
    faces_that_score,
    first_roll_risk_of,
    last_round_crosser,
    moment_of,
    odds_of,
    stage_of,
    trace_of,
)
from bot.games.fortune.minds.evaluation import RaceEvaluator, advice_of
from bot.games.fortune.pieces import (
    ALL_PLACES,
    DICE_COUNT,
    CardKind,
    Ending,
    Face,
    GameEvent,
    Revive,
    Rolled,
    Sailed,
    State,
    Turn,
    TurnEnded,
)
from bot.games.fortune.reading import describe_picture
from bot.games.fortune.scene_picture import SCENES, scene_marks
from bot.games.fortune.scoring import points_of, score_of, toll_of, winners_of
from bot.games.fortune.words import CARD_TEXTS, FACE_TEXTS
from bot.reading_order import spoken_rows
from bot.rules.components import Nameplate, token_marks
from bot.rules.game import Seat, find_newest
from bot.rules.hero import HERO_AREA, BestTurn, Hero
from bot.rules.motion import Motion, Played
from bot.rules.picture import (
    MIN_TEXT_SIZE,
    PICTURE_WIDTH,
    SYMBOL_AREA,
    Box,
    ColourRole,
    Label,
    Mark,
    Picture,
    Rect,
    Sprite,
    Surface,
    SurfaceColours,
    Symbol,
)
from bot.rules.seat_rows import ROW_GAP, RowFormat, SeatRow, SeatSign, place_rows, seat_rows_marks
from bot.words import format_number, format_odds, format_signed

_HEIGHTS: Final = {2: 730, 3: 834, 4: 842}
"""The height of the picture by seats."""

_CARD = Rect(20, 18, *CARD_SIZE)
_SKULLS = Rect(20, 216, 250, 124)
_PLATES = Rect(20, 380, 960, 106)
_ROWS = Rect(20, 512, 960, 0)
_WIDE_GAP, _MANY_SEATS = 12, 4
"""The gap between rows, unless there are so many seats."""

_AREA: Final = Rect(0, 0, PICTURE_WIDTH, 500)
_PLANKS: Final = Rect(0, _AREA.bottom, PICTURE_WIDTH, 360)
"""Scenery, down to the end of the highest picture."""

_SCENES: Final = {CardKind.STORM: "scene-storm", CardKind.SEA_BATTLE: "scene-battle"}


def build_picture(
    view: State, events: Sequence[GameEvent], nameplates: Sequence[Nameplate] = (), *, evaluate: RaceEvaluator
) -> Picture:
    """Build the picture for all players."""
    found = moment_of(view, events)
    if found is None:
        gold = faces_that_score(view.turn) if view.mover is None and view.turn.skulls <= 2 else frozenset()
        scene, dice = _scene_of(view.turn), dice_marks(view.turn, gold)
        marks = _turn_marks(view, view.turn, dice, nameplates, evaluate)
    else:
        scene, marks = SCENES[found[0]], tuple(scene_marks(view, *found, events, nameplates))
    description = describe_picture(view, events, None if found else _risk_of(view, evaluate))
    return _build(view, scene, (*marks, *_rows_marks(view, events, nameplates)), description)


def _build(view: State, scene: str, marks: tuple[Mark, ...], description: str) -> Picture:
    return Picture(
        size=(PICTURE_WIDTH, _HEIGHTS[len(view.scores)]),
        backdrop=(
            Sprite(f"fortune/{scene}", _AREA, may_overlap=True),
            Sprite("fortune/planks", _PLANKS, may_overlap=True),
        ),
        marks=marks,
        description=description,
    )


def find_motion(
    played: Played[State, GameEvent], nameplates: Sequence[Nameplate] = (), *, evaluate: RaceEvaluator
) -> Motion | None:
    """Return the dice of one roll or several, which tumble beside the card while skulls, plates and rows are as before.

    If it changes the scene, a skull comes to rest last, and its place lights up before that.
    """
    roll, before, ended = find_newest(Rolled, played.events), played.before, find_newest(TurnEnded, played.events)
    is_new_scene = ended is not None or find_newest(Sailed, played.events) is not None
    if roll is None:
        return None
    rolls = [event for event in played.events if isinstance(event, Rolled)]
    places = sorted({place for each in rolls for place in (*each.dice, each.revived) if place is not None})
    if is_new_scene and (skulls := [place for place in places if roll.faces[place - 1] is Face.SKULL]):
        places.append(places.pop(places.index(skulls[-1])))
    rows = _rows_marks(before, played.earlier, nameplates)

    def build(skulls: Turn, dice: Iterable[Mark]) -> Picture:
        marks = _turn_marks(before, skulls, dice, nameplates, evaluate)
        return _build(before, _scene_of(before.turn), (*marks, *rows), describe_picture(before, (), None))

    kept = dice_marks(before.turn, places=[place for place in ALL_PLACES if place not in places])
    staging = []
    if is_new_scene:
        turn = played.after.turn if ended is None else ended.turn
        staging.append(build(turn, dice_marks(turn)))
    return Motion(
        build(before.turn, kept), tuple(moving_die(place, roll.faces[place - 1]) for place in places), tuple(staging)
    )


def shows_step(turn: Sequence[Sequence[GameEvent]], following: Sequence[GameEvent]) -> bool:
    """Return whether people see a position of a computer player's turn: the first roll, and what the turn ends from."""
    return len(turn) == 1 or find_newest(TurnEnded, following) is not None


def _scene_of(turn: Turn) -> str:
    """Return the Island, the storm, the battle or a calm night."""
    return "scene-island" if turn.island else _SCENES.get(turn.card.kind, "scene-calm")


def _turn_marks(
    view: State, skulls: Turn, dice: Iterable[Mark], nameplates: Sequence[Nameplate], evaluate: RaceEvaluator
) -> tuple[Mark, ...]:
    return (
        *card_marks(view.turn, _CARD),
        *skull_marks(skulls, _SKULLS),
        *dice,
        *plates_marks(view, nameplates, evaluate, _PLATES),
    )


def _rows_marks(view: State, events: Sequence[GameEvent], nameplates: Sequence[Nameplate]) -> tuple[Mark, ...]:
    """Return the rows; each keeps what its seat's last turn brought or cost until the seat rolls again."""
    signs = dict[int, SeatSign]()
    if view.mover is None:
        signs = dict.fromkeys(winners_of(view), SeatSign.CROWN)
    elif last_round_crosser(view) is not None:
        best = max(view.scores)
        signs = {seat: SeatSign.FLAG for seat, score in enumerate(view.scores) if score == best}
    rows = []
    for seat, score in enumerate(view.scores):
        change, lost = trace_of(view, seat, events)
        rows.append(SeatRow(seat, score, None if lost else change, seat == view.mover, signs.get(seat), lost))
    gap = ROW_GAP if len(rows) >= _MANY_SEATS else _WIDE_GAP
    shape = spoken_rows(RowFormat(view.options.target, format_number, score_width=206, gain_width=182))
    return seat_rows_marks(rows, nameplates, shape, place_rows(len(rows), _ROWS, gap))


_WIDE, _GAP = 560, 20
_ICON, _SMALL_ICON = 84, 46


class _Plate(NamedTuple):
    """A sign and a figure."""

    sign: str
    """A piece of art."""
    figure: str
    ink: ColourRole = ColourRole.PAPER_SHADE
    helper: str | None = None
    """A piece of art beside the sign, such as who saves one skull."""


def plates_marks(view: State, nameplates: Sequence[Nameplate], evaluate: RaceEvaluator, at: Rect) -> tuple[Mark, ...]:
    """Return what stopping brings beside what the next roll risks, or the winner's plate."""
    if view.mover is None:
        return _winner_marks(view, nameplates, at)
    left = at._replace(width=_WIDE)
    right = Rect(left.right + _GAP, at.y, at.width - _WIDE - _GAP, at.height)
    first, second = _plates_of(view, evaluate)
    return (*_plate_marks(first, left), *_plate_marks(second, right))


def _plate_marks(plate: _Plate, at: Rect) -> tuple[Mark, ...]:
    icon = Rect(at.x + 26, at.y + (at.height - 8 - _ICON) // 2, _ICON, _ICON)
    words = Rect(icon.right + 10, at.y, at.right - icon.right - 24, at.height - 8)
    ink = ColourRole.PAPER if plate.sign == "fortune/die" else None
    marks: list[Mark] = [Box(at, plate.ink, radius=20, is_raised=True), Sprite(plate.sign, icon, ink)]
    if plate.helper is not None:
        marks.append(
            Sprite(plate.helper, Rect(icon.right - 26, icon.bottom - 40, _SMALL_ICON, _SMALL_ICON), may_overlap=True)
        )
        words = words._replace(x=words.x + 20, width=words.width - 20)
    marks.append(Label(plate.figure, words, ColourRole.TEXT, 72 if at.width == _WIDE else 64, bold=True))
    return tuple(marks)


def _plates_of(view: State, evaluate: RaceEvaluator) -> tuple[_Plate, _Plate]:
    turn, stage = view.turn, stage_of(view.turn)
    if stage is Stage.FIRST_ROLL:
        return _first_roll_plates(turn)
    if stage is Stage.VOYAGE:
        toll = _Plate("fortune/island", format_signed(-toll_of(turn)), ColourRole.GOLD)
        return toll, _risk_plate(view, evaluate)
    worth = points_of(turn, Ending.STOPPED)
    ink = ColourRole.GOLD if worth > 0 else ColourRole.BAD if worth < 0 else ColourRole.PAPER
    stopping = _Plate("fortune/treasure", format_signed(worth), ink)
    if stage is Stage.IN_DOUBT:
        # Stopping brings nothing: she can still save the points.
        stopping = stopping._replace(ink=ColourRole.PAPER, helper="fortune/orb")
    return stopping, _risk_plate(view, evaluate)


def _first_roll_plates(turn: Turn) -> tuple[_Plate, _Plate]:
    """Return the odds of three skulls and of the Island, or the stakes of a Sea Battle. Rules FO-10, FO-C3, FO-C4."""
    kind, third, island = first_roll_risk_of(turn)
    skulls = _Plate(FACE_ART[Face.SKULL], format_odds(third))
    if kind is FirstRollRisk.BUST:
        stakes = format_signed(points_of(turn, Ending.DISQUALIFIED))
        return skulls, _Plate("fortune/ship", stakes)
    if kind is FirstRollRisk.SPELL_OR_ISLAND:
        skulls = skulls._replace(helper="fortune/orb")
    return skulls, _Plate("fortune/island", format_odds(island))


def _risk_of(view: State, evaluate: RaceEvaluator) -> float | None:
    """Return the risk of the roll that the screen advises, or on the Island the chance of a skull; None without one."""
    turn = view.turn
    if view.mover is None or not turn.faces:
        return None
    rolls = advice_of(view, evaluate).rolls
    if not rolls:
        return None
    revives = isinstance(rolls[0], Revive)
    risk = odds_of(turn, len(rolls[0].dice) + revives, revives=revives).bust
    return 1 - risk if turn.island else risk


def _risk_plate(view: State, evaluate: RaceEvaluator) -> _Plate:
    """Return the risk of the next roll, or that there is none; on the Island, a skull is wanted."""
    risk = _risk_of(view, evaluate)
    if risk is None:
        return _Plate("fortune/die", "0")
    if view.turn.island:
        return _Plate(FACE_ART[Face.SKULL], format_odds(risk), ColourRole.GOLD)
    return _Plate(FACE_ART[Face.SKULL], format_odds(risk), helper="fortune/orb" if view.turn.spell else None)


def _winner_marks(view: State, nameplates: Sequence[Nameplate], at: Rect) -> tuple[Mark, ...]:
    """Return the winners and their score, or the nine of a kind that won. Rules FO-8 and FO-E3."""
    winners = winners_of(view)
    marks: list[Mark] = [
        Box(at, ColourRole.SURFACE_SHADE, ColourRole.GOLD, 20, 5),
        Sprite("crown", Rect(at.x + 24, at.y + 16, 100, 74)),
    ]
    for nth, seat in enumerate(winners):
        marks += token_marks(nameplates, seat, Rect(at.x + 148 + 84 * nth, at.y + 17, 72, 72), MIN_TEXT_SIZE)
    left = at.x + 148 + 84 * len(winners) + 10
    room = Rect(left, at.y + 6, at.right - left - 20, at.height - 12)
    if view.nine is not None:
        sign = room._replace(x=room.right - 84, width=84).center(84, 84)
        marks.append(Sprite(FACE_ART[view.turn.faces[0]], sign))
        room = room._replace(width=room.width - 100)
        marks.append(Label("9×", room, ColourRole.SURFACE_TEXT, 72, bold=True))
        return tuple(marks)
    marks.append(Label(format_number(view.scores[winners[0]]), room, ColourRole.SURFACE_TEXT, 72, bold=True))
    return tuple(marks)


SURFACE: Final = Surface(
    standard=SurfaceColours("#123a5c", "#0a2640", "#5f98bd", "#f4f6ee", "#b5cddd"),
    dark=SurfaceColours("#0f1b28", "#081019", "#5f8dab", "#dadcd6", "#9fb4c2"),
    high_contrast=SurfaceColours("#000000", "#0a2c46", "#86b4d4", "#ffffff", "#d9e8f2"),
)


_CARD_ART: Final = {
    CardKind.TREASURE_CHEST: "fortune/chest",
    CardKind.CAPTAIN: "fortune/card-captain",
    CardKind.SORCERESS: "fortune/card-sorceress",
    CardKind.SEA_BATTLE: "fortune/card-sea-battle",
    CardKind.STORM: "fortune/card-storm",
    CardKind.TRUCE: "fortune/card-truce",
}
"""The art of cards that have symbols of their own."""

_MONKEY_BUSINESS: Final = Symbol(
    "monkey_business",
    CARD_TEXTS[CardKind.MONKEY_BUSINESS].symbol,
    tuple(
        Sprite(FACE_ART[face], room)
        for face, room in zip((Face.MONKEY, Face.PARROT), SYMBOL_AREA.split_columns(2), strict=True)
    ),
)

SYMBOLS: Final = (
    *(Symbol(face.name.lower(), FACE_TEXTS[face].symbol, die_marks(face, SYMBOL_AREA)) for face in Face),
    *(
        Symbol(kind.name.lower(), CARD_TEXTS[kind].symbol, (Sprite(art, SYMBOL_AREA),))
        for kind, art in _CARD_ART.items()
    ),
    _MONKEY_BUSINESS,
    Symbol("island", "🏝️", (Sprite("fortune/island", SYMBOL_AREA),)),
)


_TILTS: Final = (-5, 4, -2, 5, -4, 6, -3, 4)
"""Degrees by which the dice are turned."""
_LARGEST, _HERO_GAP = 144, 18


def build_hero(_view: State, _seat: Seat, best_turn: BestTurn | None) -> Hero | None:
    """Lay out the dice that scored in the best turn of a seat, those of a set side by side."""
    ended = None if best_turn is None else find_newest(TurnEnded, best_turn.events)
    if best_turn is None or ended is None or not (faces := _scoring_faces(ended.turn)):
        return None
    size = min(_LARGEST, HERO_AREA.width // len(faces) - _HERO_GAP)
    row = HERO_AREA._replace(y=HERO_AREA.y + 8, height=size).center(len(faces) * (size + _HERO_GAP), size)
    marks: list[Mark] = []
    for face, column, tilt in zip(faces, row.split_columns(len(faces)), _TILTS, strict=False):
        marks += die_marks(face, column.center(size, size), tilt)
    return Hero(tuple(marks), format_signed(best_turn.change))


def _scoring_faces(turn: Turn) -> list[Face]:
    """Return the faces that brought points, the most frequent first; in a Sea Battle the swords."""
    score = score_of(turn.card, turn.faces)
    kept: list[Face] = [face for face in turn.faces if face is not Face.SKULL]
    scoring = {face for each in score.sets for face in each.faces} | {Face.GOLD, Face.DIAMOND}
    if score.battle:
        scoring.add(Face.SWORD)
    counted = [face for face in kept if face in scoring]
    return sorted(counted or kept, key=lambda face: (-kept.count(face), face))[:DICE_COUNT]
