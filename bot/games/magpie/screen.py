"""Magpie's screen: the dice, the scores and the buttons."""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from bot.games.magpie.facts import find_leaders, is_first_round, is_last_round, points_to_lead
from bot.games.magpie.minds.evaluation import find_shortcuts, is_clearly_best
from bot.games.magpie.minds.roll_values import chance_of_points, kept_dice, pay_range, scoring_chance
from bot.games.magpie.news import tell
from bot.games.magpie.pieces import DICE_COUNT, Faces, GameEvent, Roll, Rolled, State, TargetReached
from bot.games.magpie.words import DIE_FACES, describe_chart, describe_options
from bot.rules.game import Seat, places_by_score
from bot.rules.screen import (
    Control,
    ControlRow,
    Draft,
    Field,
    News,
    Play,
    Screen,
    Toggle,
    Tone,
    events_of,
    make_fillers,
)
from bot.rules.story import newest_turn
from bot.words import (
    N_,
    format_number,
    format_odds,
    game_over_title,
    gettext as _,
    keep_order,
    list_facts,
    ngettext,
    progress_bar,
    ranking_rows,
    score_row,
    seat_emoji,
)

_PLACES = tuple(range(1, DICE_COUNT + 1))
_SHORTCUTS = ("roll", "roll2", "roll3")
"""The keys of the shortcuts, the safest first."""
_ROLLS = (
    N_("Roll all five"),
    N_("Keep one, roll 4"),
    N_("Keep two, roll 3"),
    N_("Keep three, roll 2"),
    N_("Keep four, roll 1"),
)
"""The names of rolls, by how many dice they keep."""


def build_screen(view: State, news: Sequence[News[GameEvent]], names: Sequence[str], draft: Draft) -> Screen:
    """Build the screen for all players."""
    over, events, newest, leaders = view.mover is None, events_of(news), newest_turn(news, Rolled), find_leaders(view)
    mover = names[view.mover or 0]
    title = _("{name}, roll the dice").format(name=mover)
    # The notice of the last round is below.
    latest = [tell(view, *each) for each in newest if not isinstance(each.event, TargetReached)]
    shortcuts = () if over else _build_shortcuts(view, draft)
    stage, short_stage = (_stage_lines(view, events, names, is_short=is_short) for is_short in (False, True))
    return Screen(
        title=_end_title(view, [names[seat] for seat in leaders]) if over else title,
        busy="" if over else _("{name} is rolling …").format(name=mover),
        text="\n".join((*latest, ("# " + "\u2002".join(DIE_FACES[face - 1] for face in view.faces)), *stage)),
        fields=(_score_field(view, events, names), _chart_field()),
        shortcuts=shortcuts,
        controls=() if over else _build_controls(view, draft, len(shortcuts)),
        note="" if over else " · ".join(describe_options(view.options)),
        accent=leaders[0] if over else view.mover,
        rule=" ".join(short_stage),
    )


def build_abandoned_fields(view: State, names: Sequence[str]) -> tuple[Field, ...]:
    """Return the fields of an abandoned game: dice, scores and chart."""
    dice = Field(_("Dice"), " ".join(DIE_FACES[face - 1] for face in view.faces))
    return (dice, _race_field(replace(view, mover=None), (), names), _chart_field())


def _end_title(view: State, winners: Sequence[str]) -> str:
    """Return the title of the end; alone, it says the score. Rule MP-S1."""
    if not view.is_alone:
        return game_over_title(winners)
    title = ngettext("{name}: {points} point", "{name}: {points} points", view.scores[0])
    return title.format(name=winners[0], points=format_number(view.scores[0]))


def _stage_lines(view: State, events: Sequence[GameEvent], names: Sequence[str], *, is_short: bool) -> list[str]:
    """Return the roll-off in the first round, and the notice of the last round; short ones leave out what is usual."""
    lines: list[str] = []
    if view.is_alone:
        return [_turn_line(view)] if view.mover is not None else []
    if (not is_short or not events) and is_first_round(view, events):
        # Next to a picture there is room for it until someone has rolled.
        lines.append(_("The highest opening roll starts") if is_short else _roll_off_line(view))
    if is_last_round(view):
        line = _("🏁 {target} reached! Everyone but {name} gets one last turn.")
        if is_short:
            line = _("🏁 Last round: beat {score}!")
        lines.append(line.format(name=names[view.trigger or 0], target=view.options.target, score=max(view.scores)))
    return lines


def _turn_line(view: State) -> str:
    """Return which turn of a seat alone it is, and what the others have brought. Rule MP-S1."""
    line = ngettext(
        "Roll {number} of 10 · {points} point so far",
        "Roll {number} of 10 · {points} points so far",
        view.scores[0],
    )
    return line.format(number=len(view.gains) + 1, points=format_number(view.scores[0]))


def _roll_off_line(view: State) -> str:
    """Show each round of the roll-off by seat colours, since players may have changed. Rule MP-2."""
    rounds = (
        list_facts(f"{seat_emoji(seat)} **{sum(faces)}**" for seat, faces in round_.rolls) for round_ in view.roll_off
    )
    starter = seat_emoji(view.roll_off[-1].leaders[0])
    tie = _("{rounds}; tied, re-roll: {totals}")
    told = reduce(lambda before, totals: tie.format(rounds=before, totals=totals), rounds)
    return _("🎲 Roll-off: {rounds}. {seat} starts. The opening dice don't score.").format(rounds=told, seat=starter)


def _score_field(view: State, events: Sequence[GameEvent], names: Sequence[str]) -> Field:
    if view.is_alone:
        return Field(_("Points of each roll"), " · ".join(map(format_number, view.gains)) or "–")
    return _ranking_field(view, names) if view.mover is None else _race_field(view, events, names)


def _race_field(view: State, events: Sequence[GameEvent], names: Sequence[str]) -> Field:
    latest = {event.seat: event for event in events if isinstance(event, Rolled)}
    lines = [_score_line(view, seat, name, latest.get(seat)) for seat, name in enumerate(names)]
    return Field(_("First to {target}").format(target=view.options.target), "\n".join(lines))


def _score_line(view: State, seat: Seat, name: str, latest: Rolled | None) -> str:
    score = view.scores[seat]
    bar = progress_bar(score, view.options.target)
    line = score_row(seat, name, f"**{score}**", has_turn=seat == view.mover, bar=bar)
    if latest is None:
        return line
    faces = keep_order("".join(DIE_FACES[face - 1] for face in latest.faces))
    return f"{line} · {faces} +{latest.points}"


def _ranking_field(view: State, names: Sequence[str]) -> Field:
    texts = [f"{name} · **{score}**" for name, score in zip(names, view.scores, strict=True)]
    title = _("Final scores · first to {target}").format(target=view.options.target)
    return Field(title, ranking_rows(places_by_score(view.scores), texts))


def _chart_field() -> Field:
    """Return the chart."""
    text = _("{chart}. At least one die you roll must be part of the combination.")
    return Field(_("Each die you roll pays"), text.format(chart=describe_chart()))


def _build_shortcuts(view: State, draft: Draft) -> ControlRow:
    """Return the best rolls, the safest first; once dice are picked, the roll of the others takes the first place."""
    rolls = sorted(find_shortcuts(view), key=lambda roll: _chance(view, roll), reverse=True)
    best = tuple(_roll_control(view, roll, key) for key, roll in zip(_SHORTCUTS, rolls, strict=False))
    kept = tuple([place for place in _PLACES if place in draft])
    if len(kept) in (0, DICE_COUNT):
        return _with_next_step(best)
    composed = _roll_control(view, Roll(tuple([place for place in _PLACES if place not in draft])), "others")
    return (replace(composed, tone=Tone.CHOSEN), *(replace(other, tone=Tone.QUIET) for other in best[1:]))


def _build_controls(view: State, draft: Draft, shortcuts: int) -> tuple[ControlRow, ...]:
    """Return the dice, below what keeps the place of the shortcuts that are missing."""
    labels = (_("Or tap the dice to keep"), _("No other roll is as good"))
    fillers = make_fillers(labels, len(_SHORTCUTS) - shortcuts)
    dice = tuple([_die_control(view, place, draft) for place in _PLACES])
    return (fillers, dice) if fillers else (dice,)


def _with_next_step(rolls: ControlRow) -> ControlRow:
    """Colour the safest roll, unless it is clearly the best anyway."""
    safest, *others = rolls
    return (safest if safest.tone is Tone.MAIN else replace(safest, tone=Tone.CHOSEN), *others)


def _roll_control(view: State, roll: Roll, key: str) -> Control:
    """Return the button of a roll: what it keeps, the chance to score, and what that pays."""
    kept = kept_dice(view.faces, roll)
    odds, (least, most) = format_odds(_chance(view, roll)), pay_range(view.options, kept)
    pay = str(least) if least == most else _("{least} to {most}").format(least=least, most=most)
    parts = [_name_roll(kept), odds, *([pay] if most else [])]
    if view.trigger is not None:
        parts[1:] = [_("{odds} to take the lead").format(odds=odds)]
    tone = Tone.MAIN if is_clearly_best(view, kept) else Tone.QUIET
    return Control(key, " · ".join(parts), Play(str(roll)), tone)


def _chance(view: State, roll: Roll) -> float:
    """Return the chance that a roll scores; in the last round, that it takes the lead. Rule MP-9."""
    if view.trigger is None:
        return scoring_chance(view.options, kept_dice(view.faces, roll))
    return chance_of_points(view.options, view.faces, roll, points_to_lead(view))


def _name_roll(kept: Faces) -> str:
    """Return a roll in words: the face of equal dice that are kept, how many they are, and how many are rolled."""
    name = _(_ROLLS[len(kept)])
    return f"{DIE_FACES[kept[0] - 1]} {name}" if len(set(kept)) == 1 else name


def _die_control(view: State, place: int, draft: Draft) -> Control:
    die = DIE_FACES[view.faces[place - 1] - 1]
    return Control(f"keep{place}", f"✓ {die}" if place in draft else die, Toggle(place))
