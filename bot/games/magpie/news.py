"""Magpie's events as text, and what is worth noticing."""

from collections.abc import Iterator, Sequence

from bot.games.magpie.facts import BIG_ROLL, find_scoring_places
from bot.games.magpie.pieces import DICE_COUNT, Combination, GameEvent, Rolled, State, TableCleared, TargetReached
from bot.games.magpie.words import COMBINATION_LABELS, COMBINATION_NAMES, DIE_FACES
from bot.rules.components import die_marks
from bot.rules.game import find_newest
from bot.rules.screen import News, events_of
from bot.rules.story import PIECE_AREA, Highlight, HighlightPiece, Narration, heaviest
from bot.words import gettext as _, keep_order, list_facts, ngettext

_HUGE_ROLL = 20
"""About one roll in fifty brings as many points."""


def tell(view: State, event: GameEvent, names: Sequence[str]) -> str:
    """Tell an event in one line."""
    match event:
        case Rolled():
            return _rolled_line(event, names)
        case TableCleared():
            line = _("Fresh dice! **{name}** re-rolled all five for no points.")
            return line.format(name=names[event.seat])
        case TargetReached():
            return _("🏁 **{name}** reached {target}.").format(name=names[event.seat], target=view.options.target)


def summarize_turn(view: State, news: Sequence[News[GameEvent]]) -> str:
    """Tell a turn in one line."""
    lines = [_short_line(view, *each) for each in news if not isinstance(each.event, TargetReached)]
    return " ".join(filter(None, lines))


def _tell_briefly(_view: State, news: Sequence[News[GameEvent]]) -> str:
    """Tell by what a turn scored, and how much."""
    roll = find_newest(Rolled, events_of(news))
    if roll is None:
        return ""
    if not roll.points:
        return _("no points")
    is_cleared = any(isinstance(each.event, TableCleared) for each in news)
    line = _("{reason}, +{points}, fresh dice") if is_cleared else _("{reason}, +{points}")
    return line.format(points=roll.points, reason=_reason_text(roll))


def _short_line(view: State, event: GameEvent, names: Sequence[str]) -> str:
    match event:
        case Rolled():
            line = _("**{name}** rolled {landed} → {reason}, **+{points}**")
            if not event.points:
                line = _("**{name}** rolled {landed}: no points")
            reason = _reason_text(event)
            landed = _landed_text(event).replace(" ", "")
            return line.format(name=names[event.seat], landed=landed, reason=reason, points=event.points)
        case TableCleared():
            return _("Fresh dice!")
        case _:
            return tell(view, event, names)


def _landed_text(event: Rolled) -> str:
    return keep_order(" ".join(DIE_FACES[event.faces[place - 1] - 1] for place in event.dice))


def _rolled_line(event: Rolled, names: Sequence[str]) -> str:
    """Describe a roll: the dice, their faces before and after, and the score."""
    landed = _landed_text(event)
    line = ngettext(
        "**{name}** re-rolled {before} into {landed} (die {places}) → {gain}",
        "**{name}** re-rolled {before} into {landed} (dice {places}) → {gain}",
        len(event.dice),
    )
    if len(event.dice) == DICE_COUNT:
        line = _("**{name}** re-rolled all five dice: {landed} → {gain}")
    places = list_facts(map(str, event.dice))
    before = keep_order(" ".join(DIE_FACES[event.before[place - 1] - 1] for place in event.dice))
    return line.format(name=names[event.seat], places=places, before=before, landed=landed, gain=_gain_text(event))


def _gain_text(event: Rolled) -> str:
    if not event.points:
        return _("no points")
    points = ngettext("**+{points} point**", "**+{points} points**", event.points).format(points=event.points)
    return _("{reason}, {points}").format(reason=_reason_text(event), points=points)


def _reason_text(event: Rolled) -> str:
    return _(COMBINATION_NAMES[event.combination]) if event.combination else _("five-dice bonus")


def _highlight(view: State, events: Sequence[GameEvent]) -> Highlight | None:
    return heaviest(_event_highlight(view, event, find_newest(Rolled, events)) for event in events)


def _event_highlight(view: State, event: GameEvent, roll: Rolled | None) -> Highlight | None:
    """Return what makes an event of a move worth noticing; a roll is what made it."""
    match event:
        case TargetReached():
            dice = tuple(_scoring_dice(roll)) if roll else ()
            return Highlight(_("Last round!"), _("beat {score}").format(score=max(view.scores)), 3, pieces=dice)
        case Rolled() if event.combination is Combination.FIVE_OF_A_KIND or event.points >= _HUGE_ROLL:
            return _roll_highlight(event, 3)
        case Rolled() if event.points >= BIG_ROLL:
            return _roll_highlight(event, 2)
        case _:
            return None


def _roll_highlight(event: Rolled, weight: int) -> Highlight:
    word = _(COMBINATION_LABELS[event.combination]) if event.combination else _("Five-dice bonus")
    return Highlight(word, f"+{event.points}", weight, pieces=tuple(_scoring_dice(event)))


def _scoring_dice(event: Rolled) -> Iterator[HighlightPiece]:
    """Yield the dice of the combination in rising order; all five for the bonus without one."""
    places = find_scoring_places(event) or range(1, DICE_COUNT + 1)
    for face in sorted(event.faces[place - 1] for place in places):
        yield HighlightPiece(_("die showing {face}").format(face=face), die_marks(face, PIECE_AREA))


NARRATION = Narration(tell, summarize_turn, _tell_briefly, _highlight)
