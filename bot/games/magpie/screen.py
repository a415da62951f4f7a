"""Magpie's screen: the dice, the scores and the buttons."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from bot.games.magpie.events import Rolled, TableCleared
from bot.games.magpie.guide import COMBINATION_NAMES, describe_options
from bot.games.magpie.moves import Roll
from bot.games.magpie.pieces import DICE_COUNT, Faces, State
from bot.games.magpie.strategy import is_clearly_best
from bot.rules.game import Event, Seat
from bot.rules.outcome import places_by_score
from bot.rules.screen import Control, Draft, Field, News, Play, Screen, Toggle, Tone, events_of
from bot.words import game_over_title, gettext as _, ngettext, progress_bar, ranking_rows, score_row, seat_emoji

DIE_FACES = "⚀⚁⚂⚃⚄⚅"

_ROLL_ALL = Roll(tuple(range(1, DICE_COUNT + 1)))


def build_screen(view: State, news: Sequence[News], names: Sequence[str], draft: Draft) -> Screen:
    """Build the screen for all players."""
    over, events = view.mover is None, events_of(news)
    return Screen(
        title=_result_title(view, names) if over else _("Magpie · {name} to roll").format(name=names[view.mover or 0]),
        text="\n".join((*_last_turn_lines(news), _dice_line(view.faces), *_stage_lines(view, events, names))),
        fields=(_ranking_field(view, names) if over else _scores_field(view, events, names), _chart_field()),
        controls=() if over else _build_controls(view, draft),
        note="" if over else " · ".join(describe_options(view.options)),
        accent=_leaders(view)[0] if over else view.mover,
    )


def build_abandoned_fields(view: State, names: Sequence[str]) -> tuple[Field, ...]:
    """Return the fields of an abandoned game: dice, scores and chart."""
    dice = Field(_("Dice"), " ".join(DIE_FACES[face - 1] for face in view.faces))
    return (dice, _scores_field(replace(view, mover=None), (), names), _chart_field())


def _dice_line(faces: Faces) -> str:
    """Return the dice as a heading, which Discord shows large."""
    return "# " + "\u2002".join(DIE_FACES[face - 1] for face in faces)


def _stage_lines(view: State, news: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Return the roll-off in the first round, and the notice of the last round."""
    lines: list[str] = []
    if _in_first_round(view, news):
        lines.append(_roll_off_line(view))
    if view.trigger is not None and view.mover is not None:
        line = _("🏁 {target} reached! Everyone but {name} gets one last turn.")
        lines.append(line.format(name=names[view.trigger], target=view.options.target))
    return lines


def _in_first_round(view: State, news: Sequence[Event]) -> bool:
    return sum(isinstance(event, Rolled) for event in news) < len(view.scores) and view.mover is not None


def _last_turn_lines(news: Sequence[News]) -> list[str]:
    """Return the lines about the latest turn."""
    newest = next((at for at in range(len(news) - 1, -1, -1) if isinstance(news[at].event, Rolled)), len(news))
    return [line for each in news[newest:] if (line := _event_line(*each))]


def _event_line(event: Event, names: Sequence[str]) -> str:
    match event:
        case Rolled():
            return _rolled_line(event, names)
        case TableCleared():
            line = _("Fresh dice! **{name}** re-rolled all five for no points.")
            return line.format(name=names[event.seat])
        case _:
            return ""


def _rolled_line(event: Rolled, names: Sequence[str]) -> str:
    """Describe a roll: the dice, their faces before and after, and the score."""
    landed = " ".join(DIE_FACES[event.faces[place - 1] - 1] for place in event.dice)
    rolled = ngettext(
        "**{name}** re-rolled {before} into {landed} (die {places})",
        "**{name}** re-rolled {before} into {landed} (dice {places})",
        len(event.dice),
    )
    if len(event.dice) == DICE_COUNT:
        rolled = _("**{name}** re-rolled all five dice: {landed}")
    places = ", ".join(map(str, event.dice))
    before = " ".join(DIE_FACES[event.before[place - 1] - 1] for place in event.dice)
    what = rolled.format(name=names[event.seat], places=places, before=before, landed=landed)
    return _("{what} → {gain}").format(what=what, gain=_gain_text(event))


def _gain_text(event: Rolled) -> str:
    if not event.points:
        return _("no points")
    reason = _(COMBINATION_NAMES[event.combination]) if event.combination else _("five-dice bonus")
    points = ngettext("**+{points} point**", "**+{points} points**", event.points).format(points=event.points)
    return _("{reason}, {points}").format(reason=reason, points=points)


def _roll_off_line(view: State) -> str:
    """Show each round of the roll-off by seat colours, since players may have changed. Rule MP-2."""
    rounds = (
        ", ".join(f"{seat_emoji(seat)} **{sum(faces)}**" for seat, faces in round_.rolls) for round_ in view.roll_off
    )
    starter = seat_emoji(view.roll_off[-1].leaders[0])
    line = _("🎲 Roll-off: {rounds}. {seat} starts. The opening dice don't score.")
    return line.format(rounds=_("; tied, re-roll: ").join(rounds), seat=starter)


def _scores_field(view: State, news: Sequence[Event], names: Sequence[str]) -> Field:
    latest = {event.seat: event for event in news if isinstance(event, Rolled)}
    whole, brief = (
        [_score_line(view, seat, name, latest.get(seat), has_bar=has_bar) for seat, name in enumerate(names)]
        for has_bar in (True, False)
    )
    return Field(_("First to {target}").format(target=view.options.target), "\n".join(whole), "\n".join(brief))


def _score_line(view: State, seat: Seat, name: str, latest: Rolled | None, *, has_bar: bool) -> str:
    score = view.scores[seat]
    bar = progress_bar(score, view.options.target) if has_bar else ""
    line = score_row(seat, name, f"**{score}**", has_turn=seat == view.mover, bar=bar)
    return f"{line} · +{latest.points}" if latest and latest.points else line


def _ranking_field(view: State, names: Sequence[str]) -> Field:
    texts = [f"{name} · **{score}**" for name, score in zip(names, view.scores, strict=True)]
    title = _("Final scores · first to {target}").format(target=view.options.target)
    return Field(title, ranking_rows(places_by_score(view.scores), texts))


def _leaders(view: State) -> list[Seat]:
    best = max(view.scores)
    return [seat for seat, score in enumerate(view.scores) if score == best]


def _result_title(view: State, names: Sequence[str]) -> str:
    return game_over_title(_("Magpie"), [names[seat] for seat in _leaders(view)])


@cache
def _chart_field() -> Field:
    """Return the chart; beside the picture it omits the rule."""
    text = _("{chart}. At least one die you roll must be part of the combination.")
    prices = ", ".join(f"{_(name)} {int(combination)}" for combination, name in COMBINATION_NAMES.items())
    return Field(_("Each die you roll pays"), text.format(chart=prices), prices)


def _build_controls(view: State, draft: Draft) -> tuple[tuple[Control, ...], ...]:
    faces = view.faces
    dice = tuple([_die_control(place, face, is_picked=place in draft) for place, face in enumerate(faces, 1)])
    picked = tuple(sorted(place for place in draft if 1 <= place <= DICE_COUNT))
    rest = tuple(place for place in range(1, DICE_COUNT + 1) if place not in picked)
    if not picked or not rest:
        return dice, (_roll_control(view, "roll", _("Roll all five"), _ROLL_ALL), *_keep_equals_controls(view))
    roll = ngettext("Roll this die", "Roll these {count}", len(picked)).format(count=len(picked))
    others = ngettext("Roll the other one", "Roll the other {count}", len(rest)).format(count=len(rest))
    return dice, (
        _roll_control(view, "roll", roll, Roll(picked), otherwise=Tone.CHOSEN),
        _roll_control(view, "rest", others, Roll(rest)),
    )


def _roll_control(view: State, key: str, label: str, move: Roll, *, otherwise: Tone = Tone.QUIET) -> Control:
    """Return the button of a roll, highlighted if it is clearly best."""
    return Control(key, label, Play(str(move)), Tone.MAIN if is_clearly_best(view, move) else otherwise)


def _keep_equals_controls(view: State) -> tuple[Control, ...]:
    """Return a button for the most common roll: keep the largest group of equal dice."""
    face = max(view.faces, key=view.faces.count)
    rest = tuple([place for place, each in enumerate(view.faces, 1) if each != face])
    if not 0 < len(rest) < DICE_COUNT - 1:
        return ()
    label = ngettext("Keep {dice}, roll the other", "Keep {dice}, roll {count}", len(rest))
    text = label.format(dice=DIE_FACES[face - 1] * (DICE_COUNT - len(rest)), count=len(rest))
    return (_roll_control(view, "keep", text, Roll(rest)),)


@cache
def _die_control(place: int, face: int, *, is_picked: bool) -> Control:
    mark = "✓" if is_picked else DIE_FACES[face - 1]
    return Control(f"die{place}", f"{mark} {face}", Toggle(place), Tone.CHOSEN if is_picked else Tone.QUIET)
