"""Magpie's table in plain words, and the description of its picture."""

from collections.abc import Mapping, Sequence

from bot.games.magpie.facts import find_leaders, is_last_round
from bot.games.magpie.pieces import Faces, Rolled, State
from bot.games.magpie.rules import combination_of
from bot.games.magpie.words import COMBINATION_NAMES, describe_chart, describe_options
from bot.rules.game import Seat
from bot.words import format_number, format_points, game_over_text, gettext as _, join_items, list_facts


def build_reading(view: State, names: Sequence[str]) -> str:
    """Describe the turn, the dice, the scores and the options."""
    parts = [_turn_text(view, names), _dice_text(view.faces), _scores_text(view, names)]
    if is_last_round(view):
        line = _("{target} is reached. Everyone but {name} gets one last turn.")
        parts.append(line.format(name=names[view.trigger or 0], target=view.options.target))
    if options := describe_options(view.options):
        parts.append(_("Options: {options}.").format(options=join_items(options)))
    return "\n\n".join(parts)


def describe_picture(view: State, last: Mapping[Seat, Rolled]) -> str:
    """Describe the picture, which numbers the players instead of naming them, with the last roll of each seat."""
    if view.is_alone:
        return " ".join((_dice_text(view.faces), _rolls_text(view)))
    parts = [_describe_turn(view), _dice_text(view.faces)]
    scores = [_describe_row(view, seat, last.get(seat)) for seat in range(len(view.scores))]
    parts.append(_("First to {target}: {scores}.").format(target=view.options.target, scores=join_items(scores)))
    if is_last_round(view):
        parts.append(_("The last round: the score to beat is {score}.").format(score=max(view.scores)))
    return " ".join(parts)


def _describe_row(view: State, seat: Seat, roll: Rolled | None) -> str:
    if roll is None:
        return _("player {number} has {score}").format(number=seat + 1, score=view.scores[seat])
    line = _("player {number} has {score} ({faces}: +{points})")
    faces = " ".join(map(str, roll.faces))
    return line.format(number=seat + 1, score=view.scores[seat], faces=faces, points=roll.points)


def _describe_turn(view: State) -> str:
    if view.mover is None:
        return _end_text(view, [_("player {number}").format(number=seat + 1) for seat in range(len(view.scores))])
    return _("It's player {number}'s turn to roll.").format(number=view.mover + 1)


def _end_text(view: State, names: Sequence[str]) -> str:
    """Name the winners. Rule MP-10."""
    return game_over_text([names[seat] for seat in find_leaders(view)])


def _turn_text(view: State, names: Sequence[str]) -> str:
    if view.mover is None:
        return _("The game is over.") if view.is_alone else _end_text(view, names)
    line = _(
        "It's {name}'s turn to roll one to five of the dice, once. Each rolled die pays what the "
        "combination is worth, as long as at least one rolled die is part of it: {chart}."
    )
    return line.format(name=names[view.mover], chart=describe_chart())


def _dice_text(faces: Faces) -> str:
    combination, _members = combination_of(faces)
    shown = list_facts(map(str, faces))
    if combination is None:
        return _("The dice, left to right: {faces}.").format(faces=shown)
    line = _("The dice, left to right: {faces} ({combination}).")
    return line.format(faces=shown, combination=_(COMBINATION_NAMES[combination]))


def _rolls_text(view: State) -> str:
    """Tell the score of a seat alone and what each of its rolls has brought. Rule MP-S1."""
    if not view.gains:
        return _("You have 10 rolls for as many points as possible.")
    line = _("{number} of 10 rolls, {score}: {gains}.")
    return line.format(
        number=len(view.gains), score=format_points(view.scores[0]), gains=list_facts(map(format_number, view.gains))
    )


def _scores_text(view: State, names: Sequence[str]) -> str:
    if view.is_alone:
        return _rolls_text(view)
    have = _("{name} has {score}")
    parts = [have.format(name=name, score=score) for name, score in zip(names, view.scores, strict=True)]
    line = _("The first to reach {target} starts the last round. {scores}.")
    if view.mover is None:
        line = _("The target was {target}. {scores}.")
    return line.format(target=view.options.target, scores=join_items(parts))
