"""What helps a learner of Fortune: hints, moves in words, tips and the lesson."""

from collections.abc import Hashable, Iterator, Sequence
from typing import Final

from bot.games.fortune.facts import Odds, odds_of
from bot.games.fortune.minds.evaluation import chance_of_goal, expected_points
from bot.games.fortune.pieces import (
    DICE_COUNT,
    MAX_SKULLS,
    STOP,
    CardKind,
    Ending,
    Faces,
    FortuneOptions,
    GameEvent,
    Move,
    Places,
    Revive,
    Roll,
    State,
    Turn,
    faces_at,
)
from bot.games.fortune.rules import distinct_moves
from bot.games.fortune.scoring import points_of, skull_price_of, toll_of
from bot.games.fortune.words import FACE_TEXTS
from bot.rules.evaluation import Evaluation
from bot.rules.study import Explanation, Hints, Lesson, LessonStep, RankedMove, Tip
from bot.words import N_, format_number, format_odds, format_signed, format_signed_points, gettext as _, ngettext

_NOTABLE: Final = 0.005
"""What rounds to a percent."""

_ROLL_ALL = "roll 1 2 3 4 5 6 7 8"


def _explain_hint(view: State, best: Sequence[RankedMove[Move]], _evaluation: Evaluation) -> Explanation:
    turn, rolls = view.turn, [each.move for each in best if isinstance(each.move, Roll | Revive)]
    if turn.island:
        line = _("Each extra skull costs everyone else {price}, and rolling on risks nothing.")
        reason = line.format(price=format_number(skull_price_of(turn.card)))
        no_skull = _("{odds} chance of no new 💀").format(odds=format_odds(odds_of(turn, len(turn.free)).bust))
        return Explanation((no_skull,), reason)
    odds = (*_bust_odds(turn, rolls), *_goal_odds(view, rolls)) if rolls else ()
    return Explanation(odds, _reason(turn, best[0].move, rolls))


def _bust_odds(turn: Turn, rolls: Sequence[Roll | Revive]) -> Iterator[str]:
    """Yield the odds of a bust by the number of dice, and those of a last chance with the best roll."""
    odds: dict[int, Odds] = {}
    for each in rolls:
        revives = isinstance(each, Revive)
        count = len(each.dice) + revives
        odds.setdefault(count, odds_of(turn, count, revives=revives))
    (count, first), *others = odds.items()
    line = ngettext(
        "{odds} to bust with one die ({skulls} of 3 💀 so far)",
        "{odds} to bust with {count} dice ({skulls} of 3 💀 so far)",
        count,
    )
    texts = [line.format(odds=format_odds(first.bust), count=count, skulls=turn.skulls)]
    texts += [_("{odds} with {count}").format(odds=format_odds(each.bust), count=more) for more, each in others]
    yield " · ".join(texts)
    if first.revivable:
        yield _("{odds} for a third 💀, which the Sorceress can free").format(odds=format_odds(first.revivable))


def _goal_odds(view: State, rolls: Sequence[Roll | Revive]) -> Iterator[str]:
    """Yield the chance to pass the line or take the lead by rolling on, unless that is out of sight."""
    rolling, stopping = (chance_of_goal(view, move) for move in (rolls[0], STOP))
    if rolling < _NOTABLE:
        return
    if view.crosser is None:
        line = _("{odds} to pass {target} this turn, if you play for it")
        if stopping:
            line = _("Stopping passes {target}; rolling on does so {odds} of the time")
    else:
        line = _("{odds} to take the lead this turn, if you play for it")
        if stopping:
            line = _("Stopping takes the lead; rolling on does so {odds} of the time")
    yield line.format(target=format_number(view.options.target), odds=format_odds(rolling))


def _reason(turn: Turn, best: Move, rolls: Sequence[Move]) -> str:
    """Compare the points of rolling on with those of stopping."""
    if not rolls:
        return _("Nothing else brings as many points.")
    stopping, rolling = (round(expected_points(turn, each)) for each in (STOP, rolls[0]))
    if best == STOP:
        line = _("Rolling on would bring {rolling} on average, and stopping brings {stopping} for sure.")
        if rolling > stopping:
            line = _("Rolling on may bring more ({rolling} on average), but {stopping} for sure wins more games here.")
    else:
        line = _("Rolling on brings {rolling} on average, and stopping only {stopping}.")
        if rolling < stopping:
            line = _("Rolling on brings less on average ({rolling} against {stopping}), but wins more games here.")
        elif rolling == stopping:
            line = _("Rolling on brings as much on average as stopping ({stopping}), but wins more games here.")
    return line.format(rolling=format_signed(rolling), stopping=format_signed(stopping))


HINTS = Hints(_explain_hint, format_signed_points)


def describe_move(view: State, move: Move) -> str:
    """Describe a move by the faces that it keeps: equal dice are interchangeable."""
    turn = view.turn
    match move:
        case Roll():
            return _roll_text(turn, move)
        case Revive():
            return _revive_text(turn, move)
        case _:
            points = 0 if turn.is_in_doubt else points_of(turn, Ending.STOPPED)
            line = _("Stop for {points}") if points else _("Stop for no points")
            if turn.island:
                line = _("Stop: others lose {toll}")
            shown = format_signed(points) if points < 0 else format_number(points)
            return line.format(points=shown, toll=format_number(toll_of(turn)))


def key_of(view: State, move: Move) -> Hashable:
    """Return what a move does: equal dice are interchangeable, and on the island all that counts is how many roll."""
    turn = view.turn
    match move:
        case Roll(dice, chest):
            kept = () if turn.island else _sorted_faces(turn, turn.kept(dice))
            return len(dice), kept, _sorted_faces(turn, chest)
        case Revive(_, dice):
            return "revive", len(dice), _sorted_faces(turn, turn.kept(dice))
        case _:
            return "stop", toll_of(turn) if turn.island else points_of(turn, Ending.STOPPED)


def _roll_text(turn: Turn, move: Roll) -> str:
    count = len(move.dice)
    if count == DICE_COUNT:
        return _("Roll all eight")
    kept = turn.kept(move.dice)
    if turn.island:
        line = ngettext("Roll {count} die for more 💀", "Roll {count} dice for more 💀", count)
    elif not move.chest and not kept:
        line = ngettext("Roll {count} die", "Roll all {count} dice", count)
    elif not move.chest:
        line = ngettext("Roll {count} die, keep {dice}", "Roll {count} dice, keep {dice}", count)
    elif move.chest == kept:
        line = ngettext("Roll {count} die, {dice} in the chest", "Roll {count} dice, {dice} in the chest", count)
    else:
        line = ngettext(
            "Roll {count} die, keep {dice}, {chest} in the chest",
            "Roll {count} dice, keep {dice}, {chest} in the chest",
            count,
        )
    return line.format(count=count, dice=_dice_text(turn, kept), chest=_dice_text(turn, move.chest))


def _revive_text(turn: Turn, move: Revive) -> str:
    kept, count = turn.kept(move.dice), len(move.dice)
    if not count:
        return _("Free 💀 and roll it alone")
    line = ngettext("Free 💀, roll it and the other die", "Free 💀, roll it and all {count} dice", count)
    if kept:
        line = ngettext(
            "Free 💀, roll it and one die, keep {dice}", "Free 💀, roll it and {count} dice, keep {dice}", count
        )
    return line.format(count=count, dice=_dice_text(turn, kept))


def _dice_text(turn: Turn, places: Places) -> str:
    """Return the symbols of dice, the most precious ones first."""
    return "".join(FACE_TEXTS[face].symbol for face in _sorted_faces(turn, places))


def _sorted_faces(turn: Turn, places: Places) -> Faces:
    return tuple(sorted(faces_at(turn.faces, places), reverse=True))


def find_tips(view: State, events: Sequence[GameEvent]) -> Iterator[Tip]:
    """Yield what matters in the turn; before a first roll, the card's rule does, so that only a new game has a tip."""
    if view.crosser is not None:
        yield Tip("last", _("Last turn: don't stop while you're behind."))
    elif view.turn.faces:
        yield from _turn_tips(view)
    elif not events:
        yield Tip("sets", _(_SETS))


_SETS = N_("Three of a kind score; 🪙 and 💎 always do.")

_SIMPLE_CARDS = frozenset({CardKind.GOLD, CardKind.DIAMOND, CardKind.SKULLS})
"""The cards that only add to the dice: the rules of the others stay beside the picture during the whole turn."""


_FAR_FROM_LINE: Final = 2500
"""So far from the line what counts are the points of a turn."""


def _turn_tips(view: State) -> Iterator[Tip]:
    """Yield what the dice suggest. Rules FO-2 to FO-11."""
    turn = view.turn
    if turn.island:
        yield Tip("island", _("Nothing to lose here: roll for more skulls."))
    elif turn.is_in_doubt:
        yield Tip("sorceress", _("Free a skull, or the turn ends without points."))
    elif turn.card.kind in _SIMPLE_CARDS:
        yield Tip("sets", _(_SETS))
        if turn.may_roll:
            yield Tip("keep", _("Tap the dice to keep, then roll the others."))
        if turn.skulls == MAX_SKULLS:
            yield Tip("skulls", _("One more skull is a bust: compare the odds."))
        if turn.may_roll and max(view.scores) < view.options.target - _FAR_FROM_LINE:
            # Why one of the two is advised, whatever the odds look like.
            yield Tip("average", _compare_averages(turn))
        yield Tip("spare", _("Dice you keep can't become skulls."))
        yield Tip("odds", _("Roll buttons show the risk, Stop the points."))
        if not turn.skulls:
            yield Tip("chest", _("If all eight dice score, you get 500 more."))


def _compare_averages(turn: Turn) -> str:
    rolling = max(expected_points(turn, move) for move in distinct_moves(turn) if move != STOP)
    line = _("Rolling on averages {rolling}, Stop {stopping}.")
    return line.format(rolling=format_number(round(rolling)), stopping=format_number(points_of(turn, Ending.STOPPED)))


LESSON = Lesson(
    options=FortuneOptions(),
    seats=2,
    seed=15784,
    steps=(
        LessonStep(
            _ROLL_ALL,
            N_(
                "Roll dice for points, and stop before three skulls take them away. Your card is an extra 🪙. "
                "Press **{button}**."
            ),
        ),
        LessonStep(
            "roll 3 6 7",
            N_(
                "Three of a kind score 100, and each 🪙 another 100. Skulls stay, and you have one. "
                "Roll what scores nothing: **{button}**."
            ),
        ),
        LessonStep(
            "roll 3 6",
            N_("One more 🪙: 500 points so far. Buttons show how likely a bust is. 3% isn't much: **{button}**."),
        ),
        LessonStep(
            "stop",
            N_(
                "Four 🦜 score 200. But that's your second 💀, and a third loses it all. Take the points: **{button}**."
            ),
        ),
        LessonStep(_ROLL_ALL),
        LessonStep(
            _ROLL_ALL,
            N_(
                "{rival} rolled a third skull: a bust! Your Sea Battle pays 1,000 for four ⚔️, and costs "
                "1,000 for fewer. **{button}**."
            ),
        ),
        LessonStep(
            "roll 1 6",
            N_("Three ⚔️, one to go. You can't bust with two dice and no skulls: **{button}**."),
        ),
        LessonStep(
            "stop",
            N_("The fourth ⚔️! And when all eight dice score, you get 500 more. Don't risk it now: **{button}**."),
        ),
        LessonStep(_ROLL_ALL),
        LessonStep("roll 2 4 5 6 7"),
        LessonStep("stop"),
        LessonStep(
            "",
            N_("You lead 2,700 to 900. Roll while it's worth the risk, and stop in time: that's the game."),
        ),
    ),
)
