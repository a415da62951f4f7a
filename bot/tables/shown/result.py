"""The result of a table in words: the winner, the facts of the game, its place and its date."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise
from re import sub
from textwrap import wrap
from typing import Final, NamedTuple

from babel.dates import format_date

from bot.pictures.fonts import drawable_name
from bot.rules import race
from bot.rules.components import Nameplate
from bot.rules.game import Outcome, Seat
from bot.rules.grades import Grade
from bot.rules.package import ScoreKind
from bot.rules.picture import NAME_END, NAME_START, isolate_name
from bot.rules.race import Race
from bot.rules.rewards import Feat, FeatKind
from bot.rules.screen import LONGEST_DESCRIPTION, Screen
from bot.tables.control_entries import TableEndReason
from bot.tables.shown.embeds import SMALL_PRINT
from bot.tables.shown.links import drawn_name, escaped_seat_names, nameplates_of, plain_seat_names, sanitize_name
from bot.tables.shown.parts import Place, TableParts
from bot.tables.shown.screen import final_tally_of, tournament_name
from bot.tables.shown.story import HINT, full_seat_names, last_turn_line, resignation_outcome, seat_names
from bot.tables.shown.story_line import EMPTY_LINE
from bot.tables.shown.words import level_name
from bot.tables.table import Table
from bot.words import (
    LOCALE,
    NO_BREAK_SPACE,
    format_number,
    format_odds,
    gettext as _,
    join_items,
    ngettext,
    truncate,
)

_MOST_LINES: Final = 2
"""The most lines of a sentence on a picture, and the lines of the text next to it."""

_SHORT_RACE: Final = 2
"""The number of rows in a race of one turn."""

_MAX_HINTED = 2
"""The most players with hints who are named; more are counted."""

_MAX_FACTS: Final = 3

_RARE: Final = 0.95
"""The chance against a roll from which on somebody can be proud of it."""


@dataclass(frozen=True, slots=True)
class FinalResult:
    """The result of a table."""

    title: str
    """The title of the game."""
    places: tuple[int, ...]
    scores: tuple[int, ...] | None
    """The scores by seat; None if resignations ended a game that tells no scores before its end."""
    score_kind: ScoreKind
    race: Race = ()
    resigned: frozenset[Seat] = frozenset()
    nameplates: tuple[Nameplate, ...] = ()
    """Who has the seats, or none."""
    ended_by_resignation: bool = False
    """Whether resignations ended the game, so that the scores do not decide the winner."""
    grade: Grade | None = None
    """The grade of a solo game's score; None if it is unknown or nothing to be proud of."""

    @property
    def ranking(self) -> tuple[Seat, ...]:
        """The seats, the best first."""
        return tuple(sorted(range(len(self.places)), key=lambda seat: (self.places[seat], seat)))

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats in first place."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)

    @property
    def has_chart(self) -> bool:
        """Whether a chart shows the race; the chart of a single turn would say no more than the scores."""
        return len(self.race) > _SHORT_RACE


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
    return FinalResult(
        title=package.game.info.title,
        places=outcome.places,
        scores=scores,
        score_kind=package.results.score_kind,
        race=race.unpack_race(table.race, len(table.seats)),
        resigned=table.seat_status.resigned,
        nameplates=nameplates_of(table),
        ended_by_resignation=is_resigned,
        grade=_grade(table, outcome),
    )


def _grade(table: Table, outcome: Outcome) -> Grade | None:
    """Return the grade of a solo score, if it can be compared with games of computer players under the same rules."""
    info, grades = table.package.game.info, table.package.results.grades
    counts = table.kind.counts and table.header.is_unaided(0)
    if grades is None or not counts or outcome.reason is TableEndReason.RESIGNED:
        return None
    is_alike = grades.version == table.header.version and table.options == info.options()
    return grades.grade(outcome.scores[0]) if is_alike else None


def overall_result_of(table: Table) -> FinalResult:
    """Return the result of the tournament that a finished table ends, or that of the table."""
    result, final = final_result_of(table), final_tally_of(table)
    if final is None:
        return result
    # The table's race covers only the last game.
    return replace(result, title=tournament_name(table), places=final.places, scores=final.sums, race=())


def with_result(table: Table, screen: Screen, parts: TableParts) -> tuple[Screen, str]:
    """Return the screen of a finished table with all that is told about it, and the two lines next to its picture."""
    result, names = final_result_of(table), seat_names(table)
    facts = [*parts.lines(Place.RESULT_FACT, table), *parts.lines(Place.RESULT_DETAIL, table)]
    facts += _facts(table, result, names)
    facts += [f"{HINT} {line}" for line in _hints_lines(table, escaped_seat_names(table))]
    facts += [*parts.lines(Place.RESULT_RATING, table), *parts.lines(Place.RESULT_NEWS, table)]
    # The picture shows the grade as well.
    grade = () if result.grade is None else (f"📊 {describe_grade(result.grade)}",)
    winner = _winner_lines(table, result, names)
    last = last_turn_line(table)
    text = "\n".join((*winner, *grade, *facts, *([last] if last not in screen.text else []), screen.text))
    # Next to a picture, a line in small print tells of hints, and the title is about the winner alone.
    title = screen.title.replace(f" {HINT}", "")
    return replace(screen, title=title, text=text), _tell_end(table, result, screen.verdict, parts)


def _winner_lines(table: Table, result: FinalResult, names: Sequence[str]) -> tuple[str, ...]:
    """Return the line with the winner; none if there is one seat, or if resignations decided the game."""
    if len(names) == 1 or resignation_outcome(table) is not None:
        return ()
    line = _winner_sentence(result, names, mark="**")
    if final := final_tally_of(table):
        return (_("🏁 Game {part}: {line}").format(part=final.part, line=line),)
    return (_("🏆 {line}").format(line=line),)


def _tell_end(table: Table, result: FinalResult, verdict: str, parts: TableParts) -> str:
    """Return two lines: what somebody can be proud of, and below it hints, ratings or the next best fact."""
    names = escaped_seat_names(table)
    small = [f"{SMALL_PRINT}{HINT} {line}" for line in _hints_lines(table, names)]
    small = small or parts.lines(Place.RESULT_RATING, table)
    winner = _winner_lines(table, result, names)
    told = [verdict] if verdict else list(winner if final_tally_of(table) else ())
    told += [*parts.lines(Place.RESULT_FACT, table), *parts.lines(Place.RESULT_NEWS, table)]
    told += _proud_facts(table, result, names)
    lines = [*(told or winner)[: _MOST_LINES - len(small[:1])], *small[:1]]
    return "\n".join((*lines, *[EMPTY_LINE] * (_MOST_LINES - len(lines))))


def shared_line(table: Table) -> str:
    """Return the line posted with a shared result."""
    result, names = overall_result_of(table), full_seat_names(table)
    if len(names) == 1:
        score = "" if result.scores is None else result.score_kind.format_score(result.scores[0])
        line = _("**{name}** played {game}: **{score}**").format(name=names[0], game=result.title, score=score)
        return " · ".join((line, *_hints_mark(table)))
    winners = [names[seat] for seat in result.winners]
    line = ngettext("🏆 **{names}** won {game}", "🏆 **{names}** shared the win in {game}", len(winners))
    players = ngettext("{count} player", "{count} players", len(names)).format(count=format_number(len(names)))
    game = _("the {tournament}").format(tournament=result.title) if final_tally_of(table) else result.title
    parts = [line.format(names=join_items(winners), game=game), players]
    if score := _winning_score(result):
        parts[0] = _("{line} with {score}").format(line=parts[0], score=score)
    return " · ".join((*parts, *_hints_mark(table)))


class ResultWords(NamedTuple):
    """The texts on a picture of a result, with isolated names."""

    winner: str
    """The sentence about the winner, or the name of the only player."""
    facts: Sequence[str]
    """The lines about remarkable facts."""
    footer: str
    """The place and date of the game."""


def result_words_of(table: Table, place: str) -> ResultWords:
    """Return the texts on the picture of a finished table's result.

    Args:
        table: The table.
        place: The name of the server, or an empty text.
    """
    names = tuple(_drawn_name(name, seat) for seat, name in enumerate(plain_seat_names(table)))
    # Dropping the letters that the font lacks could turn the name into another server's.
    drawn_place = drawn_name(place) if place else ""
    where = _where_and_when(table, isolate_name(drawn_place) if drawn_place else "")
    winner = _winner_sentence(overall_result_of(table), names) if len(names) > 1 else names[0]
    return ResultWords(winner, fact_lines(table, names), where)


def _drawn_name(name: str, seat: int) -> str:
    """Return a name for a sentence on a picture, or the player's number if the font lacks one of its letters."""
    if drawable_name(name):
        return isolate_name(name)
    return _("Player {number}").format(number=seat + 1).replace(" ", NO_BREAK_SPACE)


def wrap_sentence(text: str, length: int) -> list[str]:
    """Split a sentence into at most two lines of similar length, without breaking names.

    Lines of a very long sentence exceed the length; its names are shortened when they are drawn.
    """
    whole = sub(f"{NAME_START}[^{NAME_END}]*", lambda name: name[0].replace(" ", NO_BREAK_SPACE), text)
    most = 1 if len(whole) <= length else _MOST_LINES
    widths = count(1 + len(whole) // most)
    tried = (wrap(whole, width, break_long_words=False, break_on_hyphens=False) for width in widths)
    return next(lines for lines in tried if len(lines) <= most)


def describe_result_of(table: Table, place: str) -> str:
    """Return the alternative text: winner, scores, facts, place and date."""
    names = plain_seat_names(table)
    facts = [f"{line.removesuffix('.')}." for line in fact_lines(table, names)]
    where = _where_and_when(table, sanitize_name(place) if place else "")
    text = " ".join((describe_result(overall_result_of(table), names), *facts, f"{where}."))
    return truncate(text, LONGEST_DESCRIPTION)


def _where_and_when(table: Table, place: str) -> str:
    played = format_date(table.header.updated_at, "long", LOCALE)
    return _("{place} · {date}").format(place=place, date=played) if place else played


def describe_result(result: FinalResult, names: Sequence[str] = ()) -> str:
    """Return the alternative text of a result; without names, players have numbers."""
    order = result.ranking
    if len(order) == 1:
        score = result.score_kind.format_score(result.scores[0]) if result.scores else ""
        text = _("The result of {game}: {score}.").format(game=result.title, score=score)
        return text if result.grade is None else f"{text} {describe_grade(result.grade)}."
    names = names or [_("player {number}").format(number=seat + 1) for seat in range(len(order))]
    places = "; ".join(_describe_seat(result, seat, names[seat]) for seat in order)
    text = _("The result of {game}: {places}.").format(game=result.title, places=places)
    if not result.has_chart:
        return text
    turns = len(result.race) - 1
    chart = ngettext("A chart shows the scores after the turn.", "A chart shows the scores after {turns} turns.", turns)
    return f"{text} {chart.format(turns=format_number(turns))}"


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
    line = _("{result} ({score})") if result.ended_by_resignation else _("{result} with {score}")
    return line.format(result=text, score=result.score_kind.format_score(result.scores[seat]))


def describe_grade(grade: Grade) -> str:
    """Describe a grade in words."""
    line = _("Better than {percent}% of the {level} computer's games")
    return line.format(percent=grade.percent, level=level_name(grade.level))


def _winner_sentence(result: FinalResult, names: Sequence[str], *, mark: str = "") -> str:
    """Return a sentence with the winners, between marks such as `**`, and their score if all have the same."""
    winners = [names[seat] for seat in result.winners]
    line = ngettext("{names} wins", "{names} share the win", len(winners))
    line = line.format(names=f"{mark}{join_items(winners)}{mark}")
    if score := _winning_score(result):
        return _("{line} with {score}.").format(line=line, score=score)
    return _("{line}.").format(line=line)


def _winning_score(result: FinalResult) -> str:
    """Return the score that all winners share, or an empty text."""
    if result.scores is None or result.ended_by_resignation:
        return ""
    scores = {result.scores[seat] for seat in result.winners}
    return result.score_kind.format_score(scores.pop()) if len(scores) == 1 else ""


def fact_lines(table: Table, names: Sequence[str]) -> tuple[str, ...]:
    """Return up to three lines of facts, without emoji."""
    facts = (line.partition(" ")[2] for line in _facts(table, overall_result_of(table), names))
    return (*facts, *_hints_lines(table, names))


def _hints_lines(table: Table, names: Sequence[str]) -> Iterator[str]:
    """Yield a line about the players who used hints, if there are any."""
    hinted = [names[seat] for seat in sorted(table.header.hinted)]
    if len(hinted) > _MAX_HINTED:
        yield _("Played with hints: {count} players").format(count=format_number(len(hinted)))
    elif hinted:
        is_alone = sum(not who.is_computer for who in table.seats) == 1
        yield _("Played with hints") if is_alone else _("Played with hints: {names}").format(names=join_items(hinted))


def _hints_mark(table: Table) -> tuple[str, ...]:
    return (_("{sign} with hints").format(sign=HINT),) if table.header.hinted else ()


def _facts(table: Table, result: FinalResult, names: Sequence[str]) -> Sequence[str]:
    """Return up to three facts, in this order: best turn, luckiest roll or closest bust, the lead, costliest bust.

    A note about hints takes the place of the third fact. After resignations, only facts that do not concern the winner
    remain. Short games have no facts.
    """
    facts = _race_facts(table, result)
    best = [_fact_line(fact, result, names) for fact in facts if isinstance(fact, race.BestTurn)]
    others = [_fact_line(fact, result, names) for fact in facts if not isinstance(fact, race.BestTurn)]
    feats = _feats(table, result)
    lucky = [_feat_line(feat, names) for feat in feats if feat.kind is not FeatKind.BUST]
    busts = [_feat_line(feat, names) for feat in feats if feat.kind is FeatKind.BUST]
    return (*best, *lucky, *others, *busts)[: _MAX_FACTS - bool(table.header.hinted)]


def _proud_facts(table: Table, result: FinalResult, names: Sequence[str]) -> Iterator[str]:
    """Yield what people can be proud of, the rarest first: a comeback, a rare roll, the best turn, an escape."""
    facts, feats = _race_facts(table, result), _feats(table, result)
    ranked: list[race.Fact | Feat] = [fact for fact in facts if isinstance(fact, race.Comeback)]
    ranked += [feat for feat in feats if feat.kind is FeatKind.LUCK and feat.size > _RARE]
    ranked += [fact for fact in facts if isinstance(fact, race.BestTurn)]
    ranked += [feat for feat in feats if feat.kind is FeatKind.ESCAPE]
    ranked += [fact for fact in facts if isinstance(fact, race.LedThroughout)]
    for each in ranked:
        if isinstance(each, Feat):
            if not table.seats[each.seat].is_computer:
                yield _feat_line(each, names)
        elif isinstance(each, race.LeadChanges | race.CloseFinish) or not table.seats[each.seat].is_computer:
            yield _fact_line(each, result, names)

    people = [seat for seat, occupant in enumerate(table.seats) if not occupant.is_computer]
    if len(people) == 1 and result.has_chart:
        # Against computer players even the smaller best turn is worth a line.
        (seat,), sign = people, -1 if result.score_kind.lower_is_better else 1
        gain = max(sign * (after[seat] - before[seat]) for before, after in pairwise(result.race))
        if gain > 0 and race.BestTurn(seat, gain) not in facts:
            score = f"{'−' if sign < 0 else '+'}{result.score_kind.format_score(gain)}"
            yield _("⚡ {name}'s best turn: {score}").format(name=names[seat], score=score)


def _race_facts(table: Table, result: FinalResult) -> Sequence[race.Fact]:
    winners = () if resignation_outcome(table) is not None else _winners_by_score(result)
    return race.find_facts(result.race, winners, lower_is_better=result.score_kind.lower_is_better)


def _feats(table: Table, result: FinalResult) -> Sequence[Feat]:
    return table.feats if len(result.race) > race.MIN_TURNS else ()


def _winners_by_score(result: FinalResult) -> Sequence[Seat]:
    """Return the winners if scores alone decided the game; nobody if, for example, something else broke a tie."""
    scores = result.scores or ()
    best = (min if result.score_kind.lower_is_better else max)(scores, default=0)
    leaders = tuple(seat for seat, score in enumerate(scores) if score == best)
    return leaders if leaders == result.winners else ()


def _feat_line(feat: Feat, names: Sequence[str]) -> str:
    name = names[feat.seat]
    match feat.kind:
        case FeatKind.LUCK:
            line = _("🍀 Luckiest roll: {name}, {what} ({odds})")
            return line.format(name=name, what=feat.what, odds=format_odds(1 - feat.size))
        case FeatKind.ESCAPE:
            return _("😅 Closest bust: {name} survived a risk of {odds}.").format(
                name=name, odds=format_odds(feat.size)
            )
        case FeatKind.BUST:
            return _("💥 Costliest bust: {name}, {what}").format(name=name, what=feat.what)


def _fact_line(fact: race.Fact, result: FinalResult, names: Sequence[str]) -> str:
    format_score = result.score_kind.format_score
    match fact:
        case race.BestTurn(seat, gain):
            score = f"{'−' if result.score_kind.lower_is_better else '+'}{format_score(gain)}"
            if len(names) == 1:
                return _("⚡ Best turn: {score}").format(score=score)
            return _("⚡ Best turn: {name}, {score}").format(name=names[seat], score=score)
        case race.LedThroughout(seat):
            return _("🚀 {name} led from start to finish.").format(name=names[seat])
        case race.Comeback(seat, deficit):
            return _("📈 {name} came back from {score} behind.").format(name=names[seat], score=format_score(deficit))
        case race.LeadChanges(count):
            line = ngettext("🔀 The lead changed once.", "🔀 The lead changed {count} times.", count)
            return line.format(count=format_number(count))
        case race.CloseFinish(margin):
            return _("🤏 Decided by {score}.").format(score=format_score(margin))
