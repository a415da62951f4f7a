"""What helps a learner of Magpie: hints, moves in words, tips and the lesson."""

from collections.abc import Iterator, Sequence

from bot.games.magpie.facts import points_to_lead
from bot.games.magpie.minds.roll_values import (
    chance_of_points,
    combination_chances,
    expected_points,
    kept_dice,
    scoring_chance,
)
from bot.games.magpie.pieces import (
    DICE_COUNT,
    ROLLS,
    Combination,
    Faces,
    GameEvent,
    MagpieOptions,
    Roll,
    Rolled,
    State,
    TableCleared,
)
from bot.games.magpie.rules import combination_of
from bot.games.magpie.words import COMBINATION_LABELS, DIE_FACES
from bot.rules.evaluation import Evaluation
from bot.rules.study import Explanation, Hints, Lesson, LessonStep, RankedMove, Tip
from bot.words import N_, format_number, format_odds, format_signed_points, gettext as _, ngettext


def _explain_hint(view: State, best: Sequence[RankedMove[Roll]], _evaluation: Evaluation) -> Explanation:
    roll = best[0].move
    odds = (_odds_line(view, roll), *_target_odds(view, roll))
    return Explanation(odds, _last_turn_reason(view, roll) or _points_reason(view, roll))


def _odds_line(view: State, roll: Roll) -> str:
    """Return the odds of each combination, and those of no points."""
    kept = kept_dice(view.faces, roll)
    odds = {_(COMBINATION_LABELS[each]): chance for each, chance in combination_chances(view.options, kept).items()}
    odds |= {_("No points"): 1 - scoring_chance(view.options, kept)}
    return " · ".join(f"{label} {format_odds(chance)}" for label, chance in odds.items() if chance)


def _target_odds(view: State, roll: Roll) -> Iterator[str]:
    """Yield the chance to reach the target with a roll, if it can. Rule MP-9."""
    target = view.options.target
    chance = chance_of_points(view.options, view.faces, roll, target - view.scores[view.mover or 0])
    if view.trigger is None and chance:
        yield _("{odds} to reach {target}").format(target=format_number(target), odds=format_odds(chance))


def _last_turn_reason(view: State, roll: Roll) -> str:
    """Return what the last turn must bring to take the lead; empty if it is not the last, or no point is missing."""
    points = points_to_lead(view)
    if view.trigger is None or points <= 0:
        return ""
    odds = chance_of_points(view.options, view.faces, roll, points)
    line = ngettext(
        "This is your last turn: {points} point takes the lead, and no roll is likelier to bring it ({odds}).",
        "This is your last turn: {points} points take the lead, and no roll is likelier to bring them ({odds}).",
        points,
    )
    if any(chance_of_points(view.options, view.faces, other, points) > odds for other in ROLLS):
        line = ngettext(
            "This is your last turn: {points} point takes the lead ({odds}), and none would share it.",
            "This is your last turn: {points} points take the lead ({odds}), and one fewer would share it.",
            points,
        )
    return line.format(points=format_number(points), odds=format_odds(odds))


def _points_reason(view: State, roll: Roll) -> str:
    """Compare a roll with the one that brings the most points on average."""
    kept = kept_dice(view.faces, roll)
    richest = max(
        (kept_dice(view.faces, other) for other in ROLLS), key=lambda other: expected_points(view.options, other)
    )
    worth, most = (expected_points(view.options, each) for each in (kept, richest))
    safety, other_safety = (scoring_chance(view.options, each) for each in (kept, richest))
    line = _("It brings fewer points on average ({points}) than another roll, but leaves the next player worse dice.")
    if worth == most:
        line = _("It scores {odds} of the time and brings the most on average: {points}.")
    elif safety > other_safety:
        line = _("It brings fewer points on average ({points}) than another roll, but scores more often ({odds}).")
    return line.format(points=format_signed_points(round(worth, 1)), odds=format_odds(safety))


HINTS = Hints(_explain_hint, format_signed_points)


def describe_move(view: State, move: Roll) -> str:
    """Describe a roll by the faces of the kept dice, in rising order: equal dice are interchangeable."""
    if len(move.dice) == DICE_COUNT:
        return _("Roll all five")
    kept = "".join(DIE_FACES[face - 1] for face in kept_dice(view.faces, move))
    # Translators: {dice} shows the faces of dice, {count} is a number.
    return _("Keep {dice}, roll {count}").format(dice=kept, count=len(move.dice))


def key_of(view: State, move: Roll) -> Faces:
    """Return the faces of the dice that are rolled; none for all five, whatever they show."""
    return () if len(move.dice) == DICE_COUNT else tuple(sorted(view.faces[place - 1] for place in move.dice))


_KEPT_DICE = N_("Kept dice pay only if a rolled die joins in.")


def find_tips(view: State, events: Sequence[GameEvent]) -> Iterator[Tip]:
    """Yield the combinations that were just rolled for points, then what to do with the dice."""
    if view.trigger is None and combination_of(view.faces)[0] is Combination.FOUR_OF_A_KIND:
        # The buttons keep fewer, which looks like a mistake.
        yield Tip("fours", _("Keep all four, and 5 rolls of 6 score nothing."), is_explanation=True)
    for event in reversed(events):
        if isinstance(event, TableCleared):
            text = _("Fresh dice: all five rolled, for no points.")
            yield Tip("fresh", text, is_explanation=True)
        if isinstance(event, Rolled) and event.combination is not None:
            yield _combination_tip(event.combination)
        elif isinstance(event, Rolled) and not event.points and combination_of(event.faces)[0] is not None:
            yield Tip("joins", _(_KEPT_DICE), is_explanation=True)
    if view.trigger is not None:
        yield Tip("last", _("Your last turn: roll enough dice to catch up."))
    yield from _dice_tips(view)
    yield Tip("count", _("The more dice you roll, the more they pay."))
    if view.options.double_big_rolls:
        yield Tip("double", _("Rolling three or more dice pays double here."))


def _combination_tip(combination: Combination) -> Tip:
    line = ngettext(
        "{combination}: {points} point per die you roll.",
        "{combination}: {points} points per die you roll.",
        combination,
    )
    text = line.format(combination=_(COMBINATION_LABELS[combination]), points=int(combination))
    return Tip(f"combination-{int(combination)}", text, is_explanation=True)


def _dice_tips(view: State) -> Iterator[Tip]:
    """Yield what the dice on the table suggest. Rules MP-4 to MP-7."""
    combination, _members = combination_of(view.faces)
    match combination:
        case Combination.TWO_PAIR:
            if not view.options.five_dice_bonus:
                yield Tip("two-pair", _("Keep one pair, roll three: that pays triple."))
        case Combination.FULL_HOUSE | Combination.FOUR_OF_A_KIND:
            yield Tip("matches", _(_KEPT_DICE))
        case _ if len(set(view.faces)) == len(view.faces):
            yield Tip("nothing", _("Nothing matches, so roll all five dice."))
        case _:
            yield Tip("matches", _(_KEPT_DICE))
            yield Tip("odds", _("Buttons show the chance, then the points."))
            yield Tip("keep", _("Tap the dice you want to keep."))


LESSON = Lesson(
    options=MagpieOptions(),
    seats=2,
    seed=1894,
    steps=(
        LessonStep(
            "roll 1 2 4",
            N_("Be first to 100 points. All players share the dice. Two 4s match, so roll the rest: **{button}**."),
        ),
        LessonStep("roll 1 2 4"),
        LessonStep(
            "roll 1 2 4",
            N_("Two pair: 1 point for each die you rolled, +3. {rival} scored 3. Keep the 4s again: **{button}**."),
        ),
        LessonStep("roll 1 4"),
        LessonStep(
            "roll 1 4",
            N_("Three of a kind: 2 points for each die you rolled, +6! Go for a fourth 4: **{button}**."),
        ),
        LessonStep("roll 1 4"),
        LessonStep(
            "roll 1 4",
            N_("No points: no die you rolled joined the 4s. Try again: **{button}**."),
        ),
        LessonStep("roll 1 2"),
        LessonStep(
            "roll 1 2 4",
            N_("Four of a kind, +14! {rival} scored 22 with five, which brought fresh dice. Your turn: **{button}**."),
        ),
        LessonStep("roll 1 2 4"),
        LessonStep(
            "roll 1 2 4",
            N_("You're 2 behind. More dice pay more. Keep both 5s: **{button}**."),
        ),
        LessonStep("roll 1 3 4"),
        LessonStep(
            "",
            N_("You lead 29 to 28. A die you roll has to join in, and more dice pay more: that's the game."),
        ),
    ),
)
