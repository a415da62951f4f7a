"""The result of a table in words: the winner, what somebody can be proud of, and the scores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from bot.rules.components import Nameplate
from bot.rules.game import Outcome, Seat
from bot.rules.grades import Grade, Grades
from bot.rules.package import ScoreKind
from bot.rules.screen import LONGEST_DESCRIPTION, Field, Screen
from bot.tables.characters import name_level
from bot.tables.control_entries import TableEndReason
from bot.tables.registry import levels_of
from bot.tables.shown.embeds import SMALL_PRINT
from bot.tables.shown.links import escaped_seat_names, nameplates_of, plain_seat_names
from bot.tables.shown.parts import Place, TableParts
from bot.tables.shown.pride import Pride, ProudFact, describe_best_turn, find_facts, is_addressed
from bot.tables.shown.screen import final_tally_of, tournament_name
from bot.tables.shown.story import HINT, full_seat_names, last_turn_line, resignation_outcome, seat_names
from bot.tables.shown.story_line import EMPTY_LINE, lay_out_story, tell_last_turns
from bot.tables.shown.words import level_name
from bot.tables.table import Table
from bot.words import format_number, gettext as _, join_groups, join_items, ngettext, truncate

_MAX_HINTED = 2
"""The most players with hints who are named; more are counted."""

_MAX_FACTS: Final = 3
_DUEL: Final = 2

_GOAL_STEP: Final = 100
"""The next goal of a solo player is a multiple of so many points."""


@dataclass(frozen=True, slots=True)
class FinalResult:
    """The result of a table."""

    title: str
    """The title of the game."""
    places: tuple[int, ...]
    scores: tuple[int, ...] | None
    """The scores by seat; None if resignations ended a game that tells no scores before its end."""
    score_kind: ScoreKind
    people: frozenset[Seat]
    """The seats of people who have not resigned."""
    resigned: frozenset[Seat] = frozenset()
    nameplates: tuple[Nameplate, ...] = ()
    """Who has the seats, or none."""
    ended_by_resignation: bool = False
    """Whether resignations ended the game, so that the scores do not decide the winner."""
    grade: Grade | None = None
    """The grade of a solo game's score; None if it is unknown or nothing to be proud of."""
    goal: int | None = None
    """The score to reach next, if a solo game's score could have a grade and has none."""

    @property
    def ranking(self) -> tuple[Seat, ...]:
        """The seats, the best first."""
        return tuple(sorted(range(len(self.places)), key=lambda seat: (self.places[seat], seat)))

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats in first place."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)

    @property
    def featured(self) -> Seat:
        """The seat that the pictures are about: the best person, or else the winner."""
        return next((seat for seat in self.ranking if seat in self.people), self.ranking[0])

    @property
    def has_featured_won(self) -> bool:
        """Whether that seat is in first place."""
        return self.places[self.featured] == 1

    @property
    def is_triumph(self) -> bool:
        """Whether that seat has won, and not only because others left before it had any points."""
        has_points = self.scores is None or self.scores[self.featured] > 0
        return self.has_featured_won and (has_points or not self.ended_by_resignation)


def final_result_of(table: Table) -> FinalResult:
    """Return the result of a finished table."""
    package, outcome = table.package, table.outcome
    if outcome is None:
        raise ValueError(f"table {table.id} has no result")
    scores: tuple[int, ...] | None = outcome.scores
    is_resigned = outcome.reason is TableEndReason.RESIGNED
    if is_resigned:
        # The game has no outcome, but it may tell the scores so far.
        scores = None if package.results.scores_of is None else tuple(package.results.scores_of(table.state))
    grades, grade, goal = package.results.grades, None, None
    if grades is not None and _is_comparable(table, grades, outcome):
        grade = grades.grade(outcome.scores[0])
        goal = None if grade is not None else (max(0, outcome.scores[0]) // _GOAL_STEP + 1) * _GOAL_STEP
    return FinalResult(
        title=_(package.game.info.title),
        places=outcome.places,
        scores=scores,
        score_kind=package.results.score_kind,
        people=table.remaining_players,
        resigned=table.seat_status.resigned,
        nameplates=nameplates_of(table),
        ended_by_resignation=is_resigned,
        grade=grade,
        goal=goal,
    )


def _is_comparable(table: Table, grades: Grades, outcome: Outcome) -> bool:
    """Return whether a solo score can be compared with games of computer players under the same rules."""
    counts = table.kind.counts and table.header.is_unaided(0) and outcome.reason is not TableEndReason.RESIGNED
    return counts and grades.version == table.header.version and table.options == table.package.game.info.options()


def overall_result_of(table: Table) -> FinalResult:
    """Return the result of the tournament that a finished table ends, or that of the table."""
    result, final = final_result_of(table), final_tally_of(table)
    if final is None:
        return result
    return replace(result, title=tournament_name(table), places=final.places, scores=final.sums)


def with_result(table: Table, screen: Screen, parts: TableParts) -> tuple[Screen, str]:
    """Return the screen of a finished table with all that is told about it, and the two lines next to its picture."""
    result = final_result_of(table)
    facts = rank_facts(table, result, parts)[:_MAX_FACTS]
    own = [fact for fact in facts if fact.seat == result.featured]
    told = [*parts.lines(Place.RESULT_FACT, table), *[fact.text for fact in own]]
    if not any(fact.pride is Pride.BIGGEST_TURN for fact in own):
        told += [*_featured_lines(table, result)][-1:]
    told += [fact.text for fact in facts if fact not in own]
    told += [f"{HINT} {line}" for line in _hints_lines(table, escaped_seat_names(table))]
    told += [*parts.lines(Place.RESULT_TIP, table), *parts.lines(Place.RESULT_RATING, table)]
    told += parts.lines(Place.REMARK, table)
    grade = _grade_lines(result)
    last = last_turn_line(table)
    winner = _winner_lines(table, result)
    text = "\n".join((*winner, *grade, *told, *([last] if last not in screen.text else []), screen.text))
    # Next to a picture, a line in small print tells of hints, and the title is about the winner alone.
    title = screen.title.replace(f" {HINT}", "")
    fields = screen.fields
    if badges := parts.lines(Place.RESULT_BADGES, table):
        fields = (*fields, Field(_("Badges"), "\n".join(badges), is_beside_picture=True))
    return replace(screen, title=title, text=text, fields=fields), _tell_end(table, result, screen.verdict, parts)


def rank_facts(table: Table, result: FinalResult, parts: TableParts) -> list[ProudFact]:
    """Return what people can be proud of, the proudest first; the person that the picture is about comes before all."""
    facts = [*parts.facts(table), *find_facts(table)]
    return sorted(facts, key=lambda fact: (fact.seat != result.featured, fact.pride))


def _winner_lines(table: Table, result: FinalResult) -> tuple[str, ...]:
    """Return the line with the winner; none if there is one seat, or if resignations decided the game."""
    names = seat_names(table)
    if len(names) == 1 or resignation_outcome(table) is not None:
        return ()
    line = _winner_sentence(result, names, mark="**")
    if final := final_tally_of(table):
        return (_("🏁 Game {number}: {result}").format(number=final.part, result=line),)
    return (f"🏆 {line}",)


def _tell_end(table: Table, result: FinalResult, verdict: str, parts: TableParts) -> str:
    """Return two lines, what somebody can be proud of and hints, a tip or the grade; below them ratings or rivals."""
    small = [f"{SMALL_PRINT}{HINT} {line}" for line in _hints_lines(table, escaped_seat_names(table))]
    small += [f"{SMALL_PRINT}{line}" for line in parts.lines(Place.RESULT_TIP, table)]
    small += [f"{SMALL_PRINT}{line}" for line in _grade_lines(result)]
    told = [verdict] if verdict else []
    told += _winner_lines(table, result) if final_tally_of(table) else ()
    told += parts.lines(Place.RESULT_FACT, table)
    # A deed that only this table knows of gives way to the end of the game, if a computer player has won it.
    has_lost = not result.has_featured_won and bool(result.people)
    facts = [fact for fact in rank_facts(table, result, parts) if not (has_lost and fact.pride >= Pride.BIGGEST_TURN)]
    told += [fact.text for fact in facts if fact.seat == result.featured]
    told += [*_featured_lines(table, result), *[fact.text for fact in facts if fact.seat != result.featured]]
    told += _winner_lines(table, result)
    last = " ".join((*parts.lines(Place.RESULT_RATING, table), *parts.lines(Place.REMARK, table)))
    story = lay_out_story(told, "".join(small[:1]))
    best = describe_best_turn(table, result.featured)
    told_best = best if best in story.replace("\n", " ") else ""
    if last_turns := "" if resignation_outcome(table) else tell_last_turns(table, result.featured, told_best):
        story = f"{last_turns}\n{story.removesuffix(EMPTY_LINE).rstrip()}"
    return "\n".join((story, *([f"{SMALL_PRINT}{last}"] if last else [])))


def _featured_lines(table: Table, result: FinalResult) -> Iterator[str]:
    """Yield how the game ended for the person that the picture is about: by how much, and their best turn."""
    seat, names = result.featured, escaped_seat_names(table)
    duel = tell_duel(result, names)
    brief = describe_best_turn(table, seat)
    if not brief:
        yield from filter(None, (duel,))
        return
    # Translators: {brief} is what the turn brought, such as "full house, +8".
    line = _("⚡ Your best: {brief}.") if is_addressed(table, seat) else _("⚡ {name}'s best: {brief}.")
    best = line.format(name=names[seat], brief=brief)
    if not result.has_featured_won and (margin := _margin_line(result, names)):
        yield f"{margin} {best}"
    yield best


def _margin_line(result: FinalResult, names: Sequence[str]) -> str:
    """Return a sentence with the margin of a win; empty if the scores did not decide it."""
    if result.scores is None or result.ended_by_resignation or len(result.winners) != 1:
        return ""
    first, second, *_others = result.ranking
    margin = abs(result.scores[first] - result.scores[second])
    return _("{name} wins by {margin}.").format(name=names[first], margin=format_number(margin)) if margin else ""


def tell_duel(result: FinalResult, names: Sequence[str], *, mark: str = "") -> str:
    """Return a sentence with the winner of two and both scores; empty if two did not decide it by scores.

    Args:
        result: The result.
        names: The names of the seats.
        mark: What stands around the name of the person that the pictures are about, such as `**`.
    """
    if len(result.places) != _DUEL or result.scores is None or result.ended_by_resignation or len(result.winners) != 1:
        return ""
    winner, loser = result.ranking
    marked = [f"{mark}{name}{mark}" if seat == result.featured else name for seat, name in enumerate(names)]
    return _("{winner} beat {loser} {score} : {other_score}.").format(
        winner=marked[winner],
        loser=marked[loser],
        score=format_number(result.scores[winner]),
        other_score=format_number(result.scores[loser]),
    )


def shared_line(table: Table) -> str:
    """Return the line posted with a shared result."""
    result, names = overall_result_of(table), full_seat_names(table)
    is_tournament = final_tally_of(table) is not None
    game = _(table.package.game.info.title)
    line = "" if is_tournament else tell_duel(result, names, mark="**")
    if len(names) == 1:
        score = "" if result.scores is None else result.score_kind.format_score(result.scores[0])
        line = _("**{name}** played {game}: **{score}**.").format(name=names[0], game=game, score=score)
    elif not line:
        winners = [f"**{names[seat]}**" for seat in result.winners]
        losers = [names[seat] for seat in result.ranking if seat not in result.winners]
        score = _winning_score(result)
        line = ngettext("{names} won {game}.", "{names} shared the win in {game}.", len(winners))
        if is_tournament and score:
            line = ngettext(
                "{names} won the {game} tournament with {score}.",
                "{names} shared the win in the {game} tournament with {score}.",
                len(winners),
            )
        elif is_tournament:
            line = ngettext(
                "{names} won the {game} tournament.", "{names} shared the win in the {game} tournament.", len(winners)
            )
        elif score and losers and result.score_kind.lower_is_better:
            # Every such win has the same score, 0, so the beaten say more.
            line = ngettext(
                "{names} won {game} against {losers}.",
                "{names} shared the win in {game} against {losers}.",
                len(winners),
            )
        elif score:
            line = ngettext(
                "{names} won {game} with {score}.", "{names} shared the win in {game} with {score}.", len(winners)
            )
        line = line.format(names=join_items(winners), game=game, score=score, losers=join_items(losers))
    hints = [SMALL_PRINT + _("Played with hints")] if table.header.hinted else []
    return "\n".join((line, *hints))


def strongest_level(table: Table) -> str:
    """Return the level of a table's strongest computer player; empty without one."""
    seated = {occupant.level for occupant in table.seats}
    return next((level for level in reversed(list(levels_of(table.package))) if level in seated), "")


def describe_result_of(table: Table) -> str:
    """Return the alternative text of a picture: the winner, the scores, and the best turn that it shows."""
    names = plain_seat_names(table)
    result = overall_result_of(table)
    brief = describe_best_turn(table, result.featured)
    # Translators: {brief} is what the turn brought, such as "full house, +8".
    best = _("{name}'s best turn: {brief}.").format(name=names[result.featured], brief=brief) if brief else ""
    return truncate(" ".join(filter(None, (describe_result(result, names), best))), LONGEST_DESCRIPTION)


def describe_result(result: FinalResult, names: Sequence[str] = ()) -> str:
    """Return the alternative text of a result; without names, players have numbers."""
    order = result.ranking
    if len(order) == 1:
        score = result.score_kind.format_score(result.scores[0]) if result.scores else ""
        return _("{title}, the result: {score}.").format(title=result.title, score=score)
    names = names or [_("player {number}").format(number=seat + 1) for seat in range(len(order))]
    places = join_groups(_describe_seat(result, seat, names[seat]) for seat in order)
    return _("{title}, the result: {places}.").format(title=result.title, places=places)


def _describe_seat(result: FinalResult, seat: Seat, name: str) -> str:
    if seat in result.winners:
        line = _("{name} wins") if len(result.winners) == 1 else _("{name} shares the win")
    elif seat in result.resigned:
        line = _("{name} has resigned and takes place {place}")
    else:
        line = _("{name} takes place {place}")
    text = line.format(name=name, place=result.places[seat])
    if result.scores is None:
        return text
    return _("{result} ({score})").format(result=text, score=result.score_kind.format_score(result.scores[seat]))


def _grade_lines(result: FinalResult) -> Iterator[str]:
    """Yield how good a solo score is, or else which one to reach next."""
    if result.grade is not None:
        # Translators: {name} is a computer player, such as Vesper, and {level} the level, such as "Strong".
        line = _("📊 Better than {percent}% of {name}'s games ({level})")
        level = result.grade.level
        yield line.format(percent=result.grade.percent, name=name_level(level), level=level_name(level))
    elif result.goal is not None:
        yield _("🎯 Next goal: {score}").format(score=result.score_kind.format_score(result.goal))


def _winner_sentence(result: FinalResult, names: Sequence[str], *, mark: str = "") -> str:
    """Return a sentence with the winners, between marks such as `**`, and their score if all have the same."""
    winners = [names[seat] for seat in result.winners]
    line = ngettext("{names} wins.", "{names} share the win.", len(winners))
    if score := _winning_score(result):
        line = ngettext("{names} wins with {score}.", "{names} share the win with {score}.", len(winners))
    return line.format(names=f"{mark}{join_items(winners)}{mark}", score=score)


def _winning_score(result: FinalResult) -> str:
    """Return the score that all winners share, or an empty text."""
    if result.scores is None or result.ended_by_resignation:
        return ""
    scores = {result.scores[seat] for seat in result.winners}
    return result.score_kind.format_score(scores.pop()) if len(scores) == 1 else ""


def _hints_lines(table: Table, names: Sequence[str]) -> Iterator[str]:
    """Yield a line about the players who used hints, if there are any."""
    hinted = [names[seat] for seat in sorted(table.header.hinted)]
    if len(hinted) > _MAX_HINTED:
        line = ngettext("Played with hints: {count} player", "Played with hints: {count} players", len(hinted))
        yield line.format(count=format_number(len(hinted)))
    elif hinted:
        is_alone = sum(not who.is_computer for who in table.seats) == 1
        yield _("Played with hints") if is_alone else _("Played with hints: {names}").format(names=join_items(hinted))
