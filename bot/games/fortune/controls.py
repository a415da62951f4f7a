"""The controls of a table of Fortune.

A draft holds the places of pressed dice. If one move is clearly best, the dice that it keeps are picked from the start,
and pressing them unpicks them.
"""

from collections import Counter

from bot.games.fortune.advice import Advice, advice_of
from bot.games.fortune.deck import CardKind
from bot.games.fortune.guide import FACE_TEXTS, describe_face_count
from bot.games.fortune.move_lists import FIRST_ROLL
from bot.games.fortune.moves import STOP, Move, Revive, Roll, Stop
from bot.games.fortune.odds import odds_of
from bot.games.fortune.pieces import ALL_PLACES, DICE_COUNT, MIN_ROLLED_DICE, Ending, Face, Places, State, Turn
from bot.games.fortune.scoring import points_of, toll_of
from bot.rules.advice import highlight_best
from bot.rules.screen import Control, ControlRow, Draft, Play, Toggle, Tone
from bot.words import format_number, format_odds, format_signed, gettext as _

_DICE_PER_ROW = DICE_COUNT // 2


def picked_dice(turn: Turn, advice: Advice, draft: Draft) -> Places:
    """Return the picked dice: those to keep, or to put into the chest."""
    if turn.island:
        return ()
    kept = dice_kept_by(turn, advice.best)
    return tuple(place for place in turn.free if (place in kept) != (place in draft))


def dice_kept_by(turn: Turn, move: Move | None) -> Places:
    """Return the free dice that a move does not roll; none if it ends the turn."""
    if move is None or isinstance(move, Stop):
        return ()
    return tuple(place for place in turn.free if place not in move.dice)


def build_controls(view: State, draft: Draft) -> tuple[ControlRow, ...]:
    """Return the controls: the dice, the rolls, the Sorceress and Stop."""
    turn, advice = view.turn, advice_of(view)
    if not turn.faces:
        lines: tuple[ControlRow, ...] = ((_roll_control(turn, "all", FIRST_ROLL, _("Roll all eight")),),)
    else:
        picked = picked_dice(turn, advice, draft)
        rolls, spells, stop = (
            _roll_controls(turn, picked, advice.roll),
            _revive_controls(turn, picked),
            _stop_control(turn),
        )
        lines = (*_dice_rows(turn, picked), *((rolls, (*spells, stop)) if spells else ((*rolls, stop),)))
    return tuple(highlight_best(line, advice.best) for line in lines if line)


def _dice_rows(turn: Turn, picked: Places) -> tuple[ControlRow, ...]:
    """Return two rows of dice without the skulls, which stay."""
    if turn.island or not turn.rolls_left:
        return ()
    rows = (ALL_PLACES[:_DICE_PER_ROW], ALL_PLACES[_DICE_PER_ROW:])
    return tuple(tuple(_die_control(turn, place, picked) for place in row if place in turn.free) for row in rows)


def _die_control(turn: Turn, place: int, picked: Places) -> Control:
    sign = FACE_TEXTS[turn.faces[place - 1]].symbol
    if place not in picked:
        return Control(f"die{place}", f"{sign} {place}", Toggle(place))
    return Control(f"die{place}", f"✓ {sign} {place}", Toggle(place), Tone.CHOSEN)


def _roll_controls(turn: Turn, picked: Places, advised: Roll | None) -> ControlRow:
    """Return buttons for rolling the unpicked dice, only the picked ones, and the best choice."""
    if turn.is_in_doubt or not turn.rolls_left:
        return ()
    rest = tuple(place for place in turn.free if place not in picked)
    line: ControlRow = ()
    if len(rest) >= MIN_ROLLED_DICE:
        line += (_roll_rest_control(turn, rest, picked),)
    if len(picked) >= MIN_ROLLED_DICE and turn.card.kind is not CardKind.TREASURE_CHEST:
        label = _put_symbol_first(turn, picked, _("Roll only {dice}").format(dice=_name_dice(turn, picked)))
        line += (_roll_control(turn, "roll_picked", Roll(picked), label),)
    return line if advised is None or advised.dice == rest else (*line, _best_roll_control(turn, advised))


def _name_dice(turn: Turn, places: Places) -> str:
    """Return dice in words, most common faces first, so that a button has no more symbols than the one before them."""
    counts = _count_faces(turn, places)
    if len(counts) == 1:
        return describe_face_count(*counts[0])
    # With five faces a label would be too long if single dice were counted.
    return ", ".join(_(FACE_TEXTS[face].name) if n == 1 else describe_face_count(face, n) for face, n in counts)


def _put_symbol_first(turn: Turn, places: Places, label: str) -> str:
    """Begin a label with the face of which there are most."""
    counts = _count_faces(turn, places)
    return f"{FACE_TEXTS[counts[0][0]].symbol} {label}" if counts else label


def _count_faces(turn: Turn, places: Places) -> list[tuple[Face, int]]:
    return Counter(turn.faces[place - 1] for place in places).most_common()


def _best_roll_control(turn: Turn, move: Roll) -> Control:
    """Return a button for the best roll, so that most players need not pick dice."""
    return _roll_control(turn, "advised", move, _roll_label(turn, move, dice_kept_by(turn, move)))


def _roll_label(turn: Turn, move: Roll, kept: Places) -> str:
    """Name the dice that a roll keeps, with the points that are safe in the Treasure Chest. Rule FO-C1."""
    dice, count = _name_dice(turn, kept), len(move.dice)
    if move.chest:
        points = format_signed(points_of(turn._replace(chest=move.chest), Ending.DISQUALIFIED))
        label = _("Chest {dice}: {points}, roll {count}").format(dice=dice, points=points, count=count)
    else:
        label = (_("Keep {dice}, roll {count}") if kept else _("Roll all {count}")).format(dice=dice, count=count)
    return _put_symbol_first(turn, kept, label)


def _roll_rest_control(turn: Turn, rest: Places, picked: Places) -> Control:
    """Return the button that rolls the unpicked dice."""
    move = Roll(rest, picked) if turn.card.kind is CardKind.TREASURE_CHEST else Roll(rest)
    return _roll_control(turn, "roll_rest", move, _roll_label(turn, move, picked), is_composed=bool(picked))


def _revive_controls(turn: Turn, picked: Places) -> ControlRow:
    """Return buttons for re-rolling the first skull with the Sorceress; all skulls are equal. Rule FO-C3."""
    skulls = tuple(place for place in ALL_PLACES if place not in turn.free)
    if not turn.spell or turn.island or not skulls:
        return ()
    skull, rest = skulls[0], tuple(place for place in turn.free if place not in picked)
    line: ControlRow = (_roll_control(turn, "spell", Revive(skull), _("🔮 Roll only the skull")),)
    if rest:
        dice = _name_dice(turn, picked)
        label = _("🔮 Keep {dice}, roll {count} + skull") if picked else _("🔮 Roll all {count} + skull")
        text = label.format(dice=dice, count=len(rest))
        line += (_roll_control(turn, "spell_rest", Revive(skull, rest), text),)
    if picked:
        label = _("🔮 Roll only {dice} + skull").format(dice=_name_dice(turn, picked))
        line += (_roll_control(turn, "spell_picked", Revive(skull, picked), label),)
    return line


def _roll_control(turn: Turn, key: str, move: Roll | Revive, label: str, *, is_composed: bool = False) -> Control:
    """Return the button of a roll with its odds of a bust; a composed roll looks like the picked dice."""
    revives = isinstance(move, Revive)
    bust = format_odds(odds_of(turn, len(move.dice) + revives, revives=revives).bust)
    text = _("{roll} ({odds} no skull)") if turn.island else _("{roll} ({odds} bust)")
    tone = Tone.CHOSEN if is_composed else Tone.QUIET
    return Control(key, text.format(roll=label, odds=bust), Play(str(move)), tone)


def _stop_control(turn: Turn) -> Control:
    if turn.island:
        label = _("Stop: others −{toll}").format(toll=format_number(toll_of(turn)))
    elif turn.is_in_doubt:
        label = _("Stop: no points")
    else:
        label = _("Stop: {points}").format(points=format_signed(points_of(turn, Ending.STOPPED)))
    return Control("stop", label, Play(str(STOP)))
