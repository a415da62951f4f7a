"""The picture of Fortune: the scene, the card, the dice, the skulls, the stakes, and the score track."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Final, NamedTuple

from bot.games.fortune.dice_picture import FACE_ART, dice_marks, die_marks, skull_marks, turn_start_marks
from bot.games.fortune.facts import (
    CardNote,
    FirstRollRisk,
    Part,
    Stage,
    card_note,
    first_roll_risk_of,
    last_round_crosser,
    score_parts,
    stage_of,
    trace_of,
)
from bot.games.fortune.pieces import CardKind, Ending, Face, GameEvent, State, Turn, TurnEnded
from bot.games.fortune.reading import describe_picture
from bot.games.fortune.scoring import SWORD_PENALTY, points_of, toll_of, winners_of
from bot.games.fortune.words import CARD_TEXTS, FACE_TEXTS, word_part
from bot.rules.components import Nameplate, token_marks
from bot.rules.game import Seat, find_newest
from bot.rules.picture import (
    PICTURE_WIDTH,
    SYMBOL_AREA,
    Align,
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
from bot.rules.seat_rows import Badge, ScoreFormat, ScoreRow, score_track_height, score_track_marks
from bot.words import N_, format_number, format_percentage, format_signed, gettext as _, ngettext

_CARD = Rect(34, 32, 254, 336)
_DICE = Rect(304, 22, 670, 268)
_SKULLS = Rect(304, 306, 670, 54)
_PLATES = Rect(26, 378, 948, 80)
_TRACK_TOP = 470

_AREA: Final = Rect(0, 0, PICTURE_WIDTH, 466)
_PLANKS: Final = Rect(0, _AREA.bottom, PICTURE_WIDTH, 284)
"""Scenery, down to the end of the highest picture."""

_SCENES: Final = {CardKind.STORM: "storm", CardKind.SEA_BATTLE: "battle"}
_ART = Rect(14, 58, 226, 160)
"""Where the art lies on a card, and how large it is."""

_LAYER_RIGHT, _LAYER_DOWN = 8, 7
"""How far each layer of the pile lies to the left of the one on it, and above."""

_CARDS_IN_LAYER = 12


def build_picture(view: State, events: Sequence[GameEvent], nameplates: Sequence[Nameplate] = ()) -> Picture:
    """Build the picture for all players."""
    track = Rect(26, _TRACK_TOP, PICTURE_WIDTH - 52, score_track_height(len(view.scores)))
    height = track.bottom + 18
    if view.turn.faces or view.mover is None:
        dice = dice_marks(view, events, _DICE)
    else:
        dice = turn_start_marks(view.mover, _DICE, find_newest(TurnEnded, events))
    return Picture(
        size=(PICTURE_WIDTH, height),
        backdrop=tuple(scene_marks(view.turn)),
        marks=(
            *pile_marks(len(view.unseen), _CARD),
            *card_marks(view.turn, _CARD),
            *pile_count_marks(len(view.unseen), _CARD),
            *dice,
            *skull_marks(view, _SKULLS),
            *plate_marks(view, _PLATES),
            *_track(view, events, track, nameplates),
        ),
        description=describe_picture(view),
    )


def _track(view: State, events: Sequence[GameEvent], at: Rect, nameplates: Sequence[Nameplate]) -> tuple[Mark, ...]:
    if view.mover is None:
        badges = dict.fromkeys(winners_of(view), Badge.CROWN)
    else:
        badges = {} if view.crosser is None else {view.crosser: Badge.FLAG}
    rows = []
    for seat, score in enumerate(view.scores):
        change, lost = trace_of(view, seat, events)
        rows.append(ScoreRow(seat, score, change, seat == view.mover, badges.get(seat), lost))
    heading = _("race past {target}")
    if last_round_crosser(view) is not None:
        heading = _("last round: highest above {target} wins")
    heading = heading.format(target=format_number(view.options.target))
    return score_track_marks(
        rows, view.options.target, heading, at, ScoreFormat(format_number, 140), nameplates=nameplates
    )


def scene_marks(turn: Turn) -> Iterator[Mark]:
    """Yield the Island, the storm, the battle or a calm night, and the ship's deck."""
    name = "island" if turn.island else _SCENES.get(turn.card.kind, "calm")
    yield Sprite(f"fortune/scene-{name}", _AREA, may_overlap=True)
    yield Sprite("fortune/planks", _PLANKS, may_overlap=True)


_ON_RAYS: dict[CardKind, tuple[ColourRole, tuple[str, ...]]] = {
    CardKind.GOLD: (ColourRole.RED, ("gold",)),
    CardKind.DIAMOND: (ColourRole.VIOLET, ("diamond",)),
    CardKind.MONKEY_BUSINESS: (ColourRole.SEAT_1, ("monkey", "parrot")),
}
"""Cards with objects of the dice in front of rays."""


_EFFECTS = {
    CardKind.TREASURE_CHEST: (N_("what lies in the"), N_("chest stays yours")),
    CardKind.CAPTAIN: (N_("all your points"), N_("count double")),
    CardKind.SORCERESS: (N_("one skull can be"), N_("rolled again")),
    CardKind.GOLD: (N_("one more gold coin"), N_("is yours")),
    CardKind.DIAMOND: (N_("one more diamond"), N_("is yours")),
    CardKind.MONKEY_BUSINESS: (N_("monkey or parrot:"), N_("all one kind")),
    CardKind.STORM: (N_("two rolls; only"), N_("gold and diamonds")),
}

_SPELL_NOTES: Mapping[CardNote | None, tuple[str, str]] = {
    CardNote.SPELL_USED: (N_("she has helped:"), N_("no more this turn")),
    CardNote.NO_SPELL_ON_ISLAND: (N_("she is no help"), N_("on the Island")),
}
"""What the card says instead of its effect. Rule FO-C3."""


def pile_marks(cards_left: int, at: Rect) -> Iterator[Mark]:
    """Yield the pile under the card, which gets lower, and the number of cards in it that nobody has seen yet."""
    for layer in range(ceil(cards_left / _CARDS_IN_LAYER), 0, -1):
        left, top = at.x - _LAYER_RIGHT * layer, at.y - _LAYER_DOWN * layer
        yield Box(Rect(left, top, at.right - left, at.bottom - top), ColourRole.VIOLET, ColourRole.PAPER, 22, 3)


def pile_count_marks(cards_left: int, at: Rect) -> tuple[Mark, ...]:
    """Return the number of cards left in the pile, with the back of a card."""
    room = Rect(at.x - 24, at.y - 28, 92, 38)
    number = Rect(room.x + 36, room.y, room.width - 40, room.height)
    return (
        Box(room, ColourRole.SURFACE_SHADE, ColourRole.GOLD, 10, 3, may_overlap=True),
        Sprite("fortune/card-back", Rect(room.x + 10, room.y + 5, 22, 28), may_overlap=True),
        Label(str(cards_left), number, ColourRole.SURFACE_TEXT, 28, bold=True, may_overlap=True),
    )


def card_marks(turn: Turn, at: Rect) -> tuple[Mark, ...]:
    """Return the card, 254 by 336 pixels."""
    name = Rect(at.x + 10, at.y + 12, at.width - 20, 42)
    marks: list[Mark] = [
        Box(at, ColourRole.PAPER, ColourRole.GOLD, 22, 6),
        Label(_(CARD_TEXTS[turn.card.kind].name), name, ColourRole.TEXT, 28, bold=True),
        *_illustration(turn, _ART.shift(at.x, at.y)),
    ]
    room = Rect(at.x + 8, at.y + 228, at.width - 16, at.height - 242)
    for row, line in zip(room.split_rows(2), _effect_lines(turn), strict=True):
        marks.append(Label(line, row, ColourRole.TEXT, 26))
    return tuple(marks)


def _illustration(turn: Turn, at: Rect) -> tuple[Mark, ...]:
    kind = turn.card.kind
    if kind is CardKind.SKULLS:
        return _on_rays(ColourRole.BAD, ("skull",) * turn.card.skulls, at)
    if kind in _ON_RAYS:
        ink, objects = _ON_RAYS[kind]
        return _on_rays(ink, objects, at)
    if kind is CardKind.TREASURE_CHEST:
        return (Sprite(f"fortune/card-{kind}-{len(turn.chest)}", at),)
    return (Sprite(f"fortune/card-{kind}", at),)


def _on_rays(ink: ColourRole, objects: tuple[str, ...], at: Rect) -> tuple[Mark, ...]:
    side = 132 if len(objects) == 1 else 100
    marks: list[Mark] = [Sprite("fortune/card-rays", at, ink)]
    for name, room in zip(objects, at.inset(6).split_columns(len(objects)), strict=True):
        left, top = room.x + (room.width - side) // 2, at.y + (at.height - side) // 2
        marks.append(Sprite(f"fortune/{name}", Rect(left, top, side, side)))
    return tuple(marks)


def _effect_lines(turn: Turn) -> tuple[str, ...]:
    """Return the effect of the card in two short lines."""
    card = turn.card
    match card.kind:
        case CardKind.SKULLS:
            return _("you start with"), ngettext("one skull", "{skulls} skulls", card.skulls).format(skulls=card.skulls)
        case CardKind.SEA_BATTLE:
            won = _("{swords} swords: {bonus}").format(swords=card.swords, bonus=format_signed(card.bonus))
            return won, _("fewer: {bonus}").format(bonus=format_signed(-card.bonus))
        case CardKind.TRUCE:
            return _("stop with swords:"), _("{penalty} for each").format(penalty=format_signed(-SWORD_PENALTY))
        case kind:
            first, second = _SPELL_NOTES.get(card_note(turn), _EFFECTS[kind])
            return _(first), _(second)


_WIDE, _GAP = 596, 14
_ICON = 60
_NARROW = 172


_FIRST_ROLL_RISKS = {
    FirstRollRisk.BUST: N_("first roll: bust"),
    FirstRollRisk.BUST_OR_ISLAND: N_("first roll: bust"),
    FirstRollRisk.SPELL_OR_ISLAND: N_("first roll: three skulls"),
}

_PARTS = {
    Part.SET: "{points}",
    Part.TREASURE: "{points}",
    Part.FULL_CHEST: "{points}",
    Part.DOUBLED: N_("{count} x"),
    Part.BATTLE_WON: "{points}",
    Part.SWORDS_MISSING: N_("{swords} of {wanted}"),
}
_PART_SIGNS = {
    Part.TREASURE: "fortune/treasure",
    Part.FULL_CHEST: "fortune/chest",
    Part.DOUBLED: "fortune/hat",
    Part.BATTLE_WON: "fortune/ship",
    Part.SWORDS_MISSING: FACE_ART[Face.SWORD],
}
"""The art beside each part but sets, which have their own."""


class _Plate(NamedTuple):
    """A symbol, a caption and an amount."""

    sign: str | Seat
    """A piece of art, or the marker of a seat."""
    caption: str
    figure: str
    ink: ColourRole = ColourRole.PAPER
    is_narrow: bool = False
    """Whether the words leave room for the parts beside them."""


def plate_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return two plates side by side, or the winner's plate."""
    turn = view.turn
    if view.mover is None:
        return _winner_marks(view, at)
    left = at._replace(width=_WIDE)
    right = Rect(left.right + _GAP, at.y, at.width - _WIDE - _GAP, at.height)
    if not turn.faces:
        first, second = _first_roll_plates(turn)
        return (*_draw_plate(first, left), *_draw_plate(second, right))
    if turn.island:
        toll = _Plate(view.mover, _("every opponent loses"), format_number(toll_of(turn)), ColourRole.GOLD)
        return (*_draw_plate(toll, left), *_draw_plate(_bust_plate(turn), right))
    return (*_worth_marks(view.mover, turn, left), *_draw_plate(_bust_plate(turn), right))


def _draw_plate(plate: _Plate, at: Rect) -> tuple[Mark, ...]:
    width = _NARROW if plate.is_narrow else at.width - _ICON - 36
    words = Rect(at.x + _ICON + 28, at.y + 2, width, at.height - 10)
    upper, lower = words._replace(height=30), Rect(words.x, words.y + 29, words.width, words.height - 29)
    icon = Rect(at.x + 14, at.y + (at.height - _ICON) // 2, _ICON, _ICON)
    return (
        Box(at, plate.ink, radius=16, is_raised=True),
        *((Sprite(plate.sign, icon),) if isinstance(plate.sign, str) else token_marks((), plate.sign, icon)),
        Label(plate.caption, upper, ColourRole.TEXT, 26, Align.LEFT),
        Label(plate.figure, lower, ColourRole.TEXT, 38, Align.LEFT, bold=True),
    )


def _first_roll_plates(turn: Turn) -> tuple[_Plate, _Plate]:
    """Return the odds of three skulls and of the Island, or the stakes of a Sea Battle. Rules FO-10, FO-C3, FO-C4."""
    kind, third, island = first_roll_risk_of(turn)
    first = _Plate("fortune/skull", _(_FIRST_ROLL_RISKS[kind]), format_percentage(third))
    if kind is FirstRollRisk.BUST:
        stakes = format_signed(points_of(turn, Ending.DISQUALIFIED))
        return first, _Plate("fortune/ship", _("a bust brings"), stakes)
    return first, _Plate("fortune/island", _("to the Island"), format_percentage(island))


def _bust_plate(turn: Turn) -> _Plate:
    """Return what a bust or a roll without a new skull brings, or that nothing can be rolled."""
    left = points_of(turn, Ending.DISQUALIFIED)
    bust = _Plate("fortune/skull", _("a bust brings"), format_signed(left), ColourRole.PAPER_SHADE)
    match stage_of(turn):
        case Stage.VOYAGE:
            return bust._replace(sign="fortune/island", caption=_("no new skull"), figure=_("ends it"))
        case Stage.IN_DOUBT:
            return bust._replace(caption=_("without her help"))
        case Stage.ROLLS_MADE:
            return bust._replace(caption=_("both rolls made"), figure=_("stop now"))
        case _ if turn.card.kind is CardKind.TREASURE_CHEST:
            return bust._replace(sign="fortune/chest", caption=_("the chest saves"), figure=format_number(left))
        case _:
            return bust


def _worth_marks(mover: Seat, turn: Turn, at: Rect) -> tuple[Mark, ...]:
    """Return the points of the dice, and their parts."""
    points = points_of(turn, Ending.STOPPED)
    caption = _("if saved") if turn.is_in_doubt else _("stop now for")
    ink = ColourRole.GOLD if points >= 0 else ColourRole.BAD
    marks = list(_draw_plate(_Plate(mover, caption, format_signed(points), ink, is_narrow=True), at))
    left = at.x + _ICON + 28 + _NARROW
    room = Rect(left, at.y + 4, at.right - left - 6, at.height - 8)
    cells = [cell for row in room.split_rows(2) for cell in row.split_columns(3)]
    # The card itself says what each sword costs.
    parts = [part for part in score_parts(turn) if part.kind is not Part.TRUCE]
    # There is room for all parts with any card.
    for part, cell in zip(parts, cells, strict=False):
        sign = FACE_ART[part.faces[0]] if part.kind is Part.SET else _PART_SIGNS[part.kind]
        words = Rect(cell.x + 36, cell.y, cell.width - 36, cell.height)
        marks.append(Sprite(sign, Rect(cell.x, cell.y + 2, 32, 32)))
        marks.append(Label(word_part(part, _PARTS), words, ColourRole.TEXT, 26, Align.LEFT))
    return tuple(marks)


def _winner_marks(view: State, at: Rect) -> tuple[Mark, ...]:
    """Return the winner's plate. Rules FO-8 and FO-E3."""
    winners = winners_of(view)
    marks: list[Mark] = [
        Box(at, ColourRole.SURFACE_SHADE, ColourRole.GOLD, 16, 4),
        Sprite("crown", Rect(at.x + 20, at.y + 12, 75, 56)),
    ]
    for nth, seat in enumerate(winners):
        marks += token_marks((), seat, Rect(at.x + 116 + 76 * nth, at.y + 8, 64, 64))
    left = at.x + 116 + 76 * len(winners) + 10
    text = _("wins with {points}") if len(winners) == 1 else _("share the win with {points}")
    if view.nine is not None:
        text = _("wins with nine of a kind")
    room = Rect(left, at.y + 6, at.right - left - 10, at.height - 12)
    line = text.format(points=format_number(view.scores[winners[0]]))
    return (*marks, Label(line, room, ColourRole.SURFACE_TEXT, 40, Align.LEFT, bold=True))


SURFACE: Final = Surface(
    standard=SurfaceColours("#123a5c", "#0a2640", "#5f98bd", "#f4f6ee", "#b5cddd"),
    dark=SurfaceColours("#0f1b28", "#081019", "#5f8dab", "#dadcd6", "#9fb4c2"),
    high_contrast=SurfaceColours("#001422", "#0a2c46", "#86b4d4", "#ffffff", "#d9e8f2"),
    banner="fortune/banner",
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
