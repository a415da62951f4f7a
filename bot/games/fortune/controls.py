"""What can be pressed at a table of Fortune, with the dice that have been picked so far.

A draft holds the places of dice that were pressed. Dice that were kept at the last roll, or that lie in the treasure
chest, are picked to begin with, and pressing them takes them out.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from bot.games.fortune.choices import FIRST_ROLL
from bot.games.fortune.deck import CardKind
from bot.games.fortune.guide import SIGNS
from bot.games.fortune.latest import kept_dice
from bot.games.fortune.notation import STOP, Revive, Roll
from bot.games.fortune.odds import odds_of
from bot.games.fortune.pieces import ALL_PLACES, DICE, LEAST_ROLLED, Ending, Places, State, Turn
from bot.games.fortune.scoring import dice_that_count, points_of, toll_of
from bot.games.fortune.worth import signed
from bot.rules.game import Event
from bot.rules.screen import Control, Draft, Play, Toggle, Tone
from bot.words import gettext as _, ngettext, number, percent

Line: TypeAlias = tuple[Control, ...]

_HALF = DICE // 2


def picked_dice(view: State, news: Sequence[Event], draft: Draft) -> Places:
    """Return the dice that are picked: those to keep, or to put into the chest."""
    turn = view.turn
    if not turn.faces or turn.island or not turn.rolls_left:
        return ()
    before = turn.chest if turn.card.kind is CardKind.TREASURE_CHEST else kept_dice(turn, news)
    return tuple(place for place in turn.free if (place in before) != (place in draft))


def controls(view: State, picked: Places) -> tuple[Line, ...]:
    """Return the rows of controls: the dice, the ways to roll them, the Sorceress, and the end of the turn."""
    turn = view.turn
    if not turn.faces:
        return ((_roll(turn, "all", FIRST_ROLL, _("Roll all eight"), Tone.MAIN),),)
    rolls, spells, stop = _rolls(turn, picked), _revivals(turn, picked), _stop(turn)
    below = (rolls, (*spells, stop)) if spells else ((*rolls, stop),)
    return tuple(line for line in (*_dice(turn, picked), *below) if line)


def _dice(turn: Turn, picked: Places) -> tuple[Line, ...]:
    """Return two rows of dice; skulls stay, so they are left out."""
    if turn.island or not turn.rolls_left:
        return ()
    rows = (ALL_PLACES[:_HALF], ALL_PLACES[_HALF:])
    return tuple(tuple(_die(turn, place, picked) for place in row if place in turn.free) for row in rows)


def _die(turn: Turn, place: int, picked: Places) -> Control:
    sign = SIGNS[turn.faces[place - 1]]
    if place not in picked:
        return Control(f"die{place}", f"{sign} {place}", Toggle(place))
    mark = "🧰" if turn.card.kind is CardKind.TREASURE_CHEST else "✓"
    return Control(f"die{place}", f"{mark} {sign} {place}", Toggle(place), Tone.CHOSEN)


def _rolls(turn: Turn, picked: Places) -> Line:
    """Offer to roll the dice that are not picked, those that are, and all but those that count."""
    if turn.is_in_doubt or not turn.rolls_left:
        return ()
    rest, counting = tuple(place for place in turn.free if place not in picked), _keeping_what_counts(turn, picked)
    line: Line = ()
    if len(rest) >= LEAST_ROLLED:
        tone = Tone.QUIET if counting and not picked else Tone.MAIN
        line += (_rolling_the_rest(turn, rest, picked, tone),)
    if len(picked) >= LEAST_ROLLED and turn.card.kind is not CardKind.TREASURE_CHEST:
        label = _("Roll these {count}").format(count=len(picked))
        line += (_roll(turn, "these", Roll(picked), label, Tone.QUIET),)
    return (*line, *counting)


def _keeping_what_counts(turn: Turn, picked: Places) -> Line:
    """Offer what most people want without picking dice for it: to roll all but those that bring points."""
    kept = dice_that_count(turn.card, turn.faces)
    rest = tuple(place for place in turn.free if place not in kept)
    if turn.island or not kept or kept == picked or len(rest) < LEAST_ROLLED:
        return ()
    chest = kept if turn.card.kind is CardKind.TREASURE_CHEST else ()
    label = _("Chest {kept}, roll {count}") if chest else _("Keep {kept}, roll {count}")
    told = label.format(kept="".join(SIGNS[turn.faces[place - 1]] for place in kept), count=len(rest))
    return (_roll(turn, "counting", Roll(rest, chest), told, Tone.QUIET if picked else Tone.MAIN),)


def _rolling_the_rest(turn: Turn, rest: Places, picked: Places, tone: Tone) -> Control:
    """Offer to roll what is not picked; with a treasure chest say what those in it are worth. Rule FO-C1."""
    label = _rest_label(rest, picked)
    if turn.card.kind is not CardKind.TREASURE_CHEST:
        return _roll(turn, "rest", Roll(rest), label, tone)
    if picked:
        saved = points_of(replace(turn, chest=picked), Ending.DISQUALIFIED)
        label = _("Roll {count}, chest {points}").format(count=len(rest), points=number(saved))
    return _roll(turn, "rest", Roll(rest, picked), label, tone)


def _rest_label(rest: Places, picked: Places) -> str:
    label = _("Roll the other {count}") if picked else _("Roll all {count}")
    return label.format(count=len(rest))


def _revivals(turn: Turn, picked: Places) -> Line:
    """Offer to have the first skull brought back; one skull is as good as another. Rule FO-C3."""
    skulls = tuple(place for place in ALL_PLACES if place not in turn.free)
    if not turn.spell or turn.island or not skulls:
        return ()
    skull, rest = skulls[0], tuple(place for place in turn.free if place not in picked)
    tone = Tone.MAIN if turn.is_in_doubt else Tone.QUIET
    line: Line = (_roll(turn, "spell", Revive(skull), _("🔮 💀 alone"), tone),)
    if rest:
        label = ngettext("🔮 💀 + the other one", "🔮 💀 + the other {count}", len(rest))
        line += (_roll(turn, "spellrest", Revive(skull, rest), label.format(count=len(rest)), Tone.QUIET),)
    if picked:
        label = ngettext("🔮 💀 + this one", "🔮 💀 + these {count}", len(picked))
        line += (_roll(turn, "spellthese", Revive(skull, picked), label.format(count=len(picked)), Tone.QUIET),)
    return line


def _roll(turn: Turn, key: str, move: Roll | Revive, label: str, tone: Tone) -> Control:
    """Make the control of a roll, with the odds that it busts."""
    revives = isinstance(move, Revive)
    bust = percent(odds_of(turn, len(move.dice) + revives, revives=revives).bust)
    text = _("{roll} (no skull {odds})") if turn.island else _("{roll} (bust {odds})")
    return Control(key, text.format(roll=label, odds=bust), Play(str(move)), tone)


def _stop(turn: Turn) -> Control:
    if turn.island:
        label = _("Stop: −{toll} each").format(toll=number(toll_of(turn)))
    elif turn.is_in_doubt:
        label = _("Stop without points")
    else:
        label = _("Stop: {points}").format(points=signed(points_of(turn, Ending.STOPPED)))
    return Control("stop", label, Play(str(STOP)), Tone.QUIET if turn.rolls_left or turn.is_in_doubt else Tone.MAIN)
