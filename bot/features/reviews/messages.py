"""Renders the review of a finished game: each seat's luck and skill, and the turning points."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from itertools import chain
from math import fsum
from typing import Final

from bot.features.replays.messages import ReplayButton, ReplayId
from bot.features.replays.model import Replay
from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.ids import CustomId, TableButtonId
from bot.platform.discord.limits import MAX_LINE
from bot.platform.discord.menus import SelectMenu, SelectOption
from bot.rules.evaluation import Unit
from bot.rules.game import Seat
from bot.rules.picture import PICTURE_WIDTH, ColourRole, Label, Mark, Picture, Rect
from bot.rules.race import Race, unpack_race
from bot.rules.review import SMALL_LOSSES, Cause, Decision, Review, SeatReview, TurningPoint
from bot.tables.characters import name_seats
from bot.tables.control_entries import TableEndReason
from bot.tables.model import TableId
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import PLAIN_COLOUR, SMALL_PRINT
from bot.tables.shown.links import escaped_seat_names, sanitize_name
from bot.tables.shown.race_chart import HEADING_HEIGHT, ChartWords, chart_height, chart_marks, race_words
from bot.tables.shown.story import past_seat_names
from bot.tables.shown.words import ROUGH_VALUES
from bot.tables.table import Table
from bot.words import (
    N_,
    NC_,
    format_number,
    format_percentage,
    gettext as _,
    ngettext,
    plural_number,
    seat_emoji,
    truncate,
)


class ReviewId(TableButtonId, prefix="V"):
    """The button of a finished table that shows the game's review."""


_EDGE: Final = 30
_TITLE_HEIGHT: Final = 56
_RACERS: Final = 2
_MAX_POINTS: Final = 60
"""The most points on the curve; a long game has hundreds of decisions."""
_GRADES: Final = (
    (0.1, NC_("grade of a review", "excellent")),
    (0.35, NC_("grade of a review", "very good")),
    (0.75, NC_("grade of a review", "good")),
    (1.25, NC_("grade of a review", "steady")),
)
"""Each grade's largest average loss per decision, relative to the Easy computer's."""
_LOWEST_GRADE: Final = NC_("grade of a review", "room to grow")

_VISIBLE: Final = {Unit.WINS: 0.005, Unit.POINTS: 0.05, Unit.FINAL_POINTS: 0.05}
"""Smaller amounts are rounded to zero."""

_LEAST_PRAISE: Final = 0.5
"""A smaller share of good decisions is not told."""


def review_buttons(table: Table) -> tuple[Button, ...]:
    """Return the button that reviews a finished game with a result, if somebody moved and moves can be evaluated."""
    is_shown = table.outcome is not None and table.acted and table.package.mind.evaluate is not None
    return (Button(_("Review"), str(ReviewId(table.id))),) if is_shown else ()


class ReviewPage(StrEnum):
    """The pages of a review."""

    CARDS = "cards"
    DECISIONS = "all"


@dataclass(frozen=True)
class ReviewPageId(CustomId, prefix="VP"):
    """The button of a review that turns to another page."""

    table_id: TableId
    shown: ReviewPage


def render_review(
    replay: Replay,
    review: Review,
    reader: Seat | None,
    page: ReviewPage = ReviewPage.CARDS,
    *,
    is_rough: bool = False,
) -> MessageContent:
    """Render a review for its reader: three cards about one player, or the account of all decisions.

    Args:
        replay: The game.
        review: Its review.
        reader: The reader's seat; None without one.
        page: The page.
        is_rough: Whether some values come from an evaluator weaker than the strongest.
    """
    end = replay.stages[-1]
    names = escaped_seat_names(end)
    if page is ReviewPage.CARDS:
        lines = _cards(replay, review, reader)
        other, label = ReviewPage.DECISIONS, _("All decisions")
    else:
        lines = _account(replay, review)
        other, label = ReviewPage.CARDS, _("◀ Back")
    title = _("Review · {game}").format(game=_(end.package.game.info.title))
    text = "\n".join((*lines, *([SMALL_PRINT + _(ROUGH_VALUES)] if is_rough else [])))
    embed = {"type": "rich", "title": title, "description": text, "color": PLAIN_COLOUR}
    button = Button(label, str(ReviewPageId(end.id, other)))
    menus = tuple(_menus(replay, review, names)) if page is ReviewPage.DECISIONS else ()
    return MessageContent(embed, ((button,),), menus, make_picture=partial(_lay_out, end, review))


def _cards(replay: Replay, review: Review, reader: Seat | None) -> Iterator[str]:
    """Yield what is good to know about the game of a player: of the reader, or else of the best person."""
    end = replay.stages[-1]
    seat = _best_person(end) if reader is None else reader
    name, account, moments = escaped_seat_names(end)[seat], review.seats[seat], review.moments[seat]
    if account.decisions and account.chosen_well >= _LEAST_PRAISE * account.decisions:
        share = describe_amount(account.chosen_well / account.decisions, Unit.WINS)
        line = (
            _("{name} chose well {share} of the time.") if reader is None else _("You chose well {share} of the time.")
        )
        yield line.format(name=name, share=share)
    elif reader is None:
        yield f"{seat_emoji(seat)} **{name}**"
    if moments.best is not None:
        kind, gained = end.package.results.score_kind, round(moments.best.gained)
        sign = "−" if kind.lower_is_better else "+"
        line = _("🌟 **Best moment:** turn {turn}, {sign}{score}")
        yield line.format(turn=format_number(moments.best.turn), sign=sign, score=kind.format_score(gained))
    if moments.luckiest is not None:
        decision = moments.luckiest.decision
        change = _of_win(review, decision.assessment.unit, _signed(moments.luckiest.change, decision.assessment.unit))
        line = _("🍀 **Luckiest moment:** turn {turn}, *{move}*: {change}")
        move = describe(replay, decision, decision.move)
        yield line.format(turn=format_number(decision.turn), move=move, change=change)
    yield _thing_to_try(replay, review, seat)


def _best_person(end: Table) -> Seat:
    """Return the seat of the person with the best place; without people, the winner's seat."""
    places = end.outcome.places if end.outcome is not None else (1,) * len(end.seats)
    return min(range(len(end.seats)), key=lambda seat: (end.seats[seat].is_computer, places[seat]))


def _account(replay: Replay, review: Review) -> Iterator[str]:
    """Yield what each seat owed to luck and to skill, the turning points, and at the end how to read that."""
    end = replay.stages[-1]
    for seat, (name, account) in enumerate(zip(escaped_seat_names(end), review.seats, strict=True)):
        facts = _account_parts(review, account), (_grade(end.package, review.unit, account),)
        yield " · ".join((f"{seat_emoji(seat)} **{name}**", *chain(*facts)))
    if review.turning_points:
        yield "\n" + _("**What turned it**")
        yield from (_point_line(replay, review, point) for point in review.turning_points)
    yield "\n" + SMALL_PRINT + " ".join(_explain(end, review))


def _account_parts(review: Review, account: SeatReview) -> Iterator[str]:
    unit = review.unit
    if review.curve:
        yield _("began with {start}").format(start=describe_amount(account.start, unit))
    yield _("luck {luck}").format(luck=_signed(_shown_luck(account, unit), unit))
    yield _("gave away {lost}").format(lost=describe_amount(account.given_away, unit))
    if account.vacated_given_away >= _VISIBLE[unit]:
        lost = describe_amount(account.vacated_given_away, unit)
        yield _("a computer player played part of it and gave away {lost}").format(lost=lost)
    elif account.vacated_decisions:
        yield _("a computer player played part of it")
    if _has_opponent(review):
        yield _("got {received}").format(received=describe_amount(account.received, unit))
    if review.curve:
        yield _("ended with {end}").format(end=describe_amount(account.end, unit))


def _has_opponent(review: Review) -> bool:
    """Return whether one player's losses are the other's gains."""
    return review.unit is Unit.WINS and len(review.seats) == _RACERS


def _shown_luck(account: SeatReview, unit: Unit) -> float:
    """Return the luck that makes the rounded figures of a line add up."""
    if unit is Unit.POINTS:
        return account.net_luck
    lost, gained = (account.start, account.received), (account.end, account.given_away, account.vacated_given_away)
    return fsum(_rounded(part, unit) for part in gained) - fsum(_rounded(part, unit) for part in lost)


def _rounded(value: float, unit: Unit) -> float:
    """Return an amount as shown: whole percents; points with a decimal if they are few."""
    if unit is Unit.WINS:
        return round(100 * value) / 100
    return round(value) if abs(value) >= 10 else round(value, 1)


def _grade(package: AnyPackage, unit: Unit, account: SeatReview) -> str:
    usual = package.mind.easy_losses.get(unit)
    if not account.decisions or not usual:
        return _("no grade")
    # A loss too small to be shown must not worsen the grade.
    share = account.given_away / account.decisions / usual if account.given_away >= _VISIBLE[unit] else 0.0
    return _(next((word for limit, word in _GRADES if share <= limit), _LOWEST_GRADE))


def describe_amount(value: float, unit: Unit) -> str:
    """Return an amount with its unit; chances are shown in percent."""
    if unit is Unit.WINS:
        return format_percentage(round(value, 2))
    count = _rounded(value, unit)
    return ngettext("{count} point", "{count} points", plural_number(count)).format(count=format_number(count))


def _of_win(review: Review, unit: Unit, amount: str) -> str:
    """Return an amount; percents are "of a win" unless the whole review is in percent."""
    return _("{share} of a win").format(share=amount) if unit is Unit.WINS is not review.unit else amount


def _signed(value: float, unit: Unit) -> str:
    if abs(value) < _VISIBLE[unit]:
        return describe_amount(0, unit)
    return ("−" if value < 0 else "+") + describe_amount(abs(value), unit)


def _point_line(replay: Replay, review: Review, point: TurningPoint) -> str:
    decision, unit = point.decision, point.decision.assessment.unit
    # A robot marks the name if a computer player decided for the seat.
    names = past_seat_names(replay.stages[-1], {decision.seat} if decision.is_vacated else ())
    texts = {
        "turn": format_number(decision.turn),
        "seat": seat_emoji(decision.seat),
        "name": names[decision.seat],
        "move": describe(replay, decision, decision.move),
        "change": _of_win(review, unit, _signed(point.change, unit)),
        "best": describe(replay, decision, decision.assessment.best_move),
    }
    if point.cause is Cause.SKILL:
        return _("Turn {turn} · {seat} {name}: *{move}*, **{change}**; better: *{best}*").format(**texts)
    is_best = decision.assessment.loss < _VISIBLE[unit]
    texts["move"] = (_("*{move}* (the best)") if is_best else _("*{move}* (better: *{best}*)")).format(**texts)
    if point.cause is Cause.OTHERS:
        return _("Turn {turn} · {seat} {name}: {move}, then the others moved, **{change}**").format(**texts)
    # The dice or cards may belong to the next player.
    if point.change > 0:
        return _("Turn {turn} · {seat} {name}: {move}, then good luck, **{change}**").format(**texts)
    return _("Turn {turn} · {seat} {name}: {move}, then bad luck, **{change}**").format(**texts)


def describe(replay: Replay, decision: Decision, move: str) -> str:
    """Describe a move that was possible in a decision."""
    before = replay.stages[decision.step - 1]
    package = before.package
    if package.study.describe_move is None:
        return move
    return package.study.describe_move(package.game.view(before.state, decision.seat), package.game.parse_move(move))


def _thing_to_try(replay: Replay, review: Review, seat: Seat) -> str:
    """Return a sentence about the worst kind of mistake of a player."""
    costly = [decision for decision in review.costly if decision.seat == seat]
    worst = next(
        (decision for decision in costly if decision.assessment.loss >= SMALL_LOSSES[decision.assessment.unit]), None
    )
    if worst is None:
        return _("💡 **One thing to try:** nothing. There was no decision to regret.")
    chosen_kind, best_kind, unit = _kinds(worst)
    # Two moves of the same kind, such as two rolls, show no common mistake.
    alike = (
        [decision for decision in costly if _kinds(decision) == _kinds(worst)] if chosen_kind != best_kind else [worst]
    )
    texts = {
        "turn": format_number(worst.turn),
        "chosen": describe(replay, worst, worst.move),
        "best": describe(replay, worst, worst.assessment.best_move),
        "count": format_number(len(alike)),
        "lost": _of_win(review, unit, describe_amount(fsum(decision.assessment.loss for decision in alike), unit)),
    }
    if len(alike) > 1:
        line = _("💡 **One thing to try:** *{best}* rather than *{chosen}*, as in turn {turn}.")
        cost = ngettext("{count} such choice cost {lost}.", "{count} such choices cost {lost}.", len(alike))
        return f"{line} {cost}".format(**texts)
    line = _("💡 **One thing to try:** *{best}* rather than *{chosen}*. In turn {turn} it was worth {lost} more.")
    return line.format(**texts)


def _kinds(decision: Decision) -> tuple[str, str, Unit]:
    """Return the kinds of the chosen and the best move, which are their first words in notation, and their unit."""
    assessment = decision.assessment
    return decision.move.partition(" ")[0], assessment.best_move.partition(" ")[0], assessment.unit


_EXPLANATIONS: Final = {
    Unit.WINS: N_("In percent of a win."),
    Unit.POINTS: N_("In points of each turn."),
    Unit.FINAL_POINTS: N_("In points of the final score."),
}


def _explain(end: Table, review: Review) -> Iterator[str]:
    """Explain the unit, luck, how the figures add up, grades, and roughness."""
    unit = review.unit
    yield _(_EXPLANATIONS[unit])
    if _has_opponent(review):
        yield _("Luck is what chance did, in both players' turns; what one gives away, the other gets.")
        yield _("*Began with* plus *luck* minus all that was *given away* plus *got* makes *ended with*.")
    elif unit is Unit.WINS and len(review.seats) > 1:
        yield _("Luck is what chance and the others did until a player's next move.")
    else:
        yield _("Luck is what chance did.")
    if review.curve and not _has_opponent(review):
        yield _("*Began with* plus *luck* minus all that was *given away* makes *ended with*.")
    if end.outcome is not None and end.outcome.reason is TableEndReason.RESIGNED:
        yield _("A resignation ended the game; the figures end before it.")
    if unit is Unit.POINTS and review.others:
        yield _(
            "Decisions about winning, such as those of the last turn, are in percent of a win and count in no "
            "sum or grade."
        )
    if end.package.mind.easy_losses.get(unit):
        yield _("A grade compares what was given away per decision with the *Easy* computer; it doesn't say who won.")
    if error := end.package.mind.value_errors.get(unit):
        text = _("Values are estimates, usually off by up to {error}; luck adds their errors up.")
        yield text.format(error=describe_amount(error, unit))
    elif not review.is_exact:
        yield _("The values are estimates.")


def _menus(replay: Replay, review: Review, names: Sequence[str]) -> Iterator[SelectMenu]:
    if not review.turning_points:
        return
    options = tuple(
        SelectOption(truncate(_option_label(replay, review, point, names), MAX_LINE), str(point.decision.step))
        for point in review.turning_points
    )
    menu_id = ReplayId(replay.stages[0].id, 0, ReplayButton.HIGHLIGHT)
    yield SelectMenu(_("See it in the replay"), str(menu_id), options)


def _option_label(replay: Replay, review: Review, point: TurningPoint, names: Sequence[str]) -> str:
    line = _("Turn {turn} · {name} · {change}")
    plain, unit = name_seats(replay.stages[-1].seats)[point.decision.seat], point.decision.assessment.unit
    return line.format(
        turn=format_number(point.decision.turn),
        name=sanitize_name(plain) if plain else names[point.decision.seat],
        change=_of_win(review, unit, _signed(point.change, unit)),
    )


def _lay_out(end: Table, review: Review) -> Picture:
    """Lay out the curve; for points of each turn, lay out the race."""
    width = PICTURE_WIDTH - 2 * _EDGE
    height = HEADING_HEIGHT + chart_height(len(end.seats))
    lower = end.package.results.score_kind.lower_is_better
    race = unpack_race(end.race, len(end.seats))
    words = race_words(race, lower_is_better=lower)
    if review.curve:
        (race, words), lower = _curve_of(review), lower and review.unit is not Unit.WINS
    marks: list[Mark] = [
        Label(
            _(end.package.game.info.title),
            Rect(_EDGE, 10, width, _TITLE_HEIGHT),
            ColourRole.SURFACE_TEXT,
            44,
            bold=True,
        )
    ]
    area = Rect(_EDGE, _TITLE_HEIGHT + 18, width, height)
    if len(race) > 1:
        winners = () if end.outcome is None else end.outcome.winners
        marks += chart_marks(race, winners, area, lower_is_better=lower, words=words)
    description = _("How the game went: {heading}, a line for each player.").format(heading=words.heading)
    return Picture((PICTURE_WIDTH, area.bottom + 16), (), tuple(marks), description, end.package.look.surface)


def _curve_of(review: Review) -> tuple[Race, ChartWords]:
    """Return the curve at some of the decisions, in whole percents or points, with its words."""
    last, factor = len(review.curve) - 1, 100 if review.unit is Unit.WINS else 1
    count = min(_MAX_POINTS, last)
    picked = [review.curve[last * at // count] for at in range(count + 1)] if count else review.curve
    race = tuple(tuple(round(factor * value) for value in row) for row in picked)
    length = ngettext("{count} decision", "{count} decisions", last).format(count=format_number(last))
    if review.unit is Unit.WINS:
        return race, ChartWords(_("chance of winning"), length, lambda value: format_percentage(value / 100))
    return race, ChartWords(_("expected final score"), length)
