"""Magpie's screen: the dice, the scores and the buttons."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from bot.games.magpie.facts import find_leaders, is_first_round, is_last_round
from bot.games.magpie.minds.evaluation import is_clearly_best
from bot.games.magpie.minds.roll_values import kept_dice, scoring_chance
from bot.games.magpie.news import tell
from bot.games.magpie.pieces import DICE_COUNT, GameEvent, Roll, Rolled, State, TargetReached
from bot.games.magpie.words import COMBINATION_NAMES, DIE_FACES, describe_options
from bot.rules.game import Seat, places_by_score
from bot.rules.screen import Control, ControlRow, Draft, Field, News, Play, Screen, Toggle, Tone, events_of
from bot.rules.story import newest_turn
from bot.words import (
    format_odds,
    game_over_title,
    gettext as _,
    progress_bar,
    ranking_rows,
    score_row,
    seat_emoji,
)

_PLACES = tuple(range(1, DICE_COUNT + 1))
_ROLL_ALL = Roll(_PLACES)


def build_screen(view: State, news: Sequence[News[GameEvent]], names: Sequence[str], draft: Draft) -> Screen:
    """Build the screen for all players."""
    over, events, newest, leaders = view.mover is None, events_of(news), newest_turn(news, Rolled), find_leaders(view)
    mover = names[view.mover or 0]
    title = _("{name}, roll the dice").format(name=mover)
    # The notice of the last round is below.
    latest = [tell(view, *each) for each in newest if not isinstance(each.event, TargetReached)]
    stage, short_stage = (_stage_lines(view, events, names, is_short=is_short) for is_short in (False, True))
    return Screen(
        title=game_over_title([names[seat] for seat in leaders]) if over else title,
        busy=_("{name} is rolling …").format(name=mover),
        text="\n".join((*latest, ("# " + "\u2002".join(DIE_FACES[face - 1] for face in view.faces)), *stage)),
        fields=(_ranking_field(view, names) if over else _scores_field(view, events, names), _chart_field()),
        controls=() if over else _build_controls(view, draft),
        note="" if over else " · ".join(describe_options(view.options)),
        accent=leaders[0] if over else view.mover,
        rule=" ".join(short_stage),
    )


def build_abandoned_fields(view: State, names: Sequence[str]) -> tuple[Field, ...]:
    """Return the fields of an abandoned game: dice, scores and chart."""
    dice = Field(_("Dice"), " ".join(DIE_FACES[face - 1] for face in view.faces))
    return (dice, _scores_field(replace(view, mover=None), (), names), _chart_field())


def _stage_lines(view: State, events: Sequence[GameEvent], names: Sequence[str], *, is_short: bool) -> list[str]:
    """Return the roll-off in the first round, and the notice of the last round; short ones leave out what is usual."""
    lines: list[str] = []
    if (not is_short or not events) and is_first_round(view, events):
        # Next to a picture there is room for it until someone has rolled.
        lines.append(_roll_off_line(view, is_short=is_short))
    if is_last_round(view):
        line = _("🏁 {target} reached! Everyone but {name} gets one last turn.")
        if is_short:
            line = _("🏁 Last round: beat {score}!")
        lines.append(line.format(name=names[view.trigger or 0], target=view.options.target, score=max(view.scores)))
    return lines


def _roll_off_line(view: State, *, is_short: bool) -> str:
    """Show each round of the roll-off by seat colours, since players may have changed. Rule MP-2."""
    rounds = (
        ", ".join(f"{seat_emoji(seat)} **{sum(faces)}**" for seat, faces in round_.rolls) for round_ in view.roll_off
    )
    starter = seat_emoji(view.roll_off[-1].leaders[0])
    line = _("🎲 Roll-off: {rounds}. {seat} starts. The opening dice don't score.")
    if is_short:
        line = _("🎲 Opening dice: {rounds}. {seat} starts.")
    return line.format(rounds=_("; tied, re-roll: ").join(rounds), seat=starter)


def _scores_field(view: State, events: Sequence[GameEvent], names: Sequence[str]) -> Field:
    latest = {event.seat: event for event in events if isinstance(event, Rolled)}
    lines = [_score_line(view, seat, name, latest.get(seat)) for seat, name in enumerate(names)]
    return Field(_("First to {target}").format(target=view.options.target), "\n".join(lines))


def _score_line(view: State, seat: Seat, name: str, latest: Rolled | None) -> str:
    score = view.scores[seat]
    bar = progress_bar(score, view.options.target)
    line = score_row(seat, name, f"**{score}**", has_turn=seat == view.mover, bar=bar)
    return f"{line} · +{latest.points}" if latest and latest.points else line


def _ranking_field(view: State, names: Sequence[str]) -> Field:
    texts = [f"{name} · **{score}**" for name, score in zip(names, view.scores, strict=True)]
    title = _("Final scores · first to {target}").format(target=view.options.target)
    return Field(title, ranking_rows(places_by_score(view.scores), texts))


def _chart_field() -> Field:
    """Return the chart."""
    text = _("{chart}. At least one die you roll must be part of the combination.")
    prices = ", ".join(f"{_(name)} {int(combination)}" for combination, name in COMBINATION_NAMES.items())
    return Field(_("Each die you roll pays"), text.format(chart=prices))


def _build_controls(view: State, draft: Draft) -> tuple[ControlRow, ...]:
    """Return the dice and the rolls. A draft holds the places of the dice to keep."""
    kept = tuple([place for place in _PLACES if place in draft])
    rest = tuple([place for place in _PLACES if place not in draft])
    dice = tuple([_die_control(place, face, is_kept=place in kept) for place, face in enumerate(view.faces, 1)])
    if not kept or not rest:
        return dice, (_roll_control(view, "roll", _("Roll all five"), _ROLL_ALL), *_keep_equals_controls(view))
    only = _name_dice(view, _("Roll only {dice}"), kept)
    return dice, (
        _roll_control(view, "others", _keep_label(view, kept), Roll(rest), otherwise=Tone.CHOSEN),
        _roll_control(view, "only", only, Roll(kept)),
    )


def _name_dice(view: State, label: str, places: Sequence[int]) -> str:
    """Return a label with dice as figures, led by the die of which there are most: a button has room for one emoji."""
    faces = [view.faces[place - 1] for place in places]
    text = label.format(dice="-".join(map(str, faces)), count=DICE_COUNT - len(places))
    return f"{DIE_FACES[max(faces, key=faces.count) - 1]} {text}"


def _keep_label(view: State, kept: Sequence[int]) -> str:
    return _name_dice(view, _("Keep {dice}, roll {count}"), kept)


def _roll_control(view: State, key: str, label: str, move: Roll, *, otherwise: Tone = Tone.QUIET) -> Control:
    """Return the button of a roll with its odds of a score, highlighted if it is clearly best."""
    kept = kept_dice(view.faces, move)
    text = _("{roll} ({odds} to score)").format(roll=label, odds=format_odds(scoring_chance(view.options, kept)))
    return Control(key, text, Play(str(move)), Tone.MAIN if is_clearly_best(view, kept) else otherwise)


def _keep_equals_controls(view: State) -> tuple[Control, ...]:
    """Return a button for the most common roll: keep the largest group of equal dice."""
    face = max(view.faces, key=view.faces.count)
    equals = tuple([place for place in _PLACES if view.faces[place - 1] == face])
    if not 1 < len(equals) < DICE_COUNT:
        return ()
    rest = tuple([place for place in _PLACES if place not in equals])
    return (_roll_control(view, "keep", _keep_label(view, equals), Roll(rest)),)


# 8 us of a click, 1 %.
@lru_cache(maxsize=64)
def _die_control(place: int, face: int, *, is_kept: bool) -> Control:
    die, toggle = DIE_FACES[face - 1], Toggle(place)
    label = f"✓ {die}" if is_kept else f"{die} {face}"
    return Control(f"keep{place}", label, toggle, Tone.CHOSEN if is_kept else Tone.QUIET)
