"""What somebody can be proud of at the end of a game: the first fact that is true stands next to the picture."""

from collections.abc import Iterator, Sequence
from enum import IntEnum, auto
from typing import Final, NamedTuple

from bot.rules.game import Seat
from bot.rules.hero import BestTurn
from bot.rules.race import largest_deficit, unpack_race
from bot.rules.rewards import FeatKind, sole_winner
from bot.rules.screen import to_news
from bot.tables.shown.links import escaped_seat_names
from bot.tables.table import Table
from bot.words import format_number, format_odds, gettext as _

_WORTH_A_DARE: Final = 2
"""How many times as far behind before a result dares others to do the same."""

_RARE: Final = 0.95
"""The chance against a roll from which on somebody can be proud of it."""


class Pride(IntEnum):
    """The kinds of facts, the proudest first."""

    OWN_BEST = auto()
    FIRST_WIN = auto()
    """Against computer players of a level."""
    COMEBACK = auto()
    BEST_OF_WEEK = auto()
    STREAK = auto()
    RARE_ROLL = auto()
    BIGGEST_TURN = auto()
    ESCAPE = auto()
    ROUND_NUMBER = auto()
    """Of games played."""


class ProudFact(NamedTuple):
    """Something that a person can be proud of."""

    pride: Pride
    seat: Seat
    text: str
    """A sentence of 40 letters at most besides names."""
    dare: str = ""
    """What the card for sharing says to others about it; empty if it says nothing of it."""


def is_addressed(table: Table, seat: Seat) -> bool:
    """Return whether texts address the person in a seat: the only one at the table."""
    return [at for at, who in enumerate(table.seats) if not who.is_computer] == [seat]


def find_facts(table: Table) -> Iterator[ProudFact]:
    """Yield what people can be proud of in the game itself: a rare roll, the biggest turn, a risk that did not come."""
    names, people = escaped_seat_names(table), table.remaining_players
    for feat in table.feats:
        if feat.seat not in people:
            continue
        is_you, name = is_addressed(table, feat.seat), names[feat.seat]
        if feat.kind is FeatKind.LUCK and feat.size > _RARE:
            # Translators: {what} is what was rolled, such as "Full house", and {odds} its chance.
            line = _("🍀 Your luck: {what} ({odds})") if is_you else _("🍀 {name}'s luck: {what} ({odds})")
            what = table.package.results.name_roll(feat.rolled)
            text = line.format(name=name, what=what, odds=format_odds(1 - feat.size))
            # Translators: {what} is what was rolled, such as "Full house". The picture of a result says it to others.
            dare = _("{what}. Your turn.").format(what=what)
            yield ProudFact(Pride.RARE_ROLL, feat.seat, text, dare)
        elif feat.kind is FeatKind.ESCAPE:
            line = _("😅 You survived a risk of {odds}.") if is_you else _("😅 {name} survived a risk of {odds}.")
            yield ProudFact(Pride.ESCAPE, feat.seat, line.format(name=name, odds=format_odds(feat.size)))
    yield from _find_comeback(table)
    seat = _seat_of_biggest_turn(table.best_turns)
    if seat in people and (brief := describe_best_turn(table, seat)):
        # Translators: {brief} is what the turn brought, such as "full house, +8".
        line = _("⚡ Biggest turn: {name}, {brief}.")
        if len(table.seats) == 1:
            # Translators: {brief} is what the turn brought, such as "full house, +8".
            line = _("⚡ Best turn: {brief}.")
        elif is_addressed(table, seat):
            # Translators: {brief} is what the turn brought, such as "full house, +8".
            line = _("⚡ You had the biggest turn: {brief}.")
        yield ProudFact(Pride.BIGGEST_TURN, seat, line.format(name=names[seat], brief=brief))


def _find_comeback(table: Table) -> Iterator[ProudFact]:
    """Yield that the only winner was far behind at some time (`Results.far_behind`)."""
    outcome, results = table.outcome, table.package.results
    winner = sole_winner(outcome)
    if winner not in table.remaining_players or not table.race or len(table.seats) == 1:
        return
    race = unpack_race(table.race, len(table.seats))
    far_behind = results.far_behind * abs(race[-1][winner] - race[0][winner])
    deficit = largest_deficit(race, winner, lower_is_better=results.score_kind.lower_is_better)
    if deficit > far_behind:
        is_you, name = is_addressed(table, winner), escaped_seat_names(table)[winner]
        line = _("📈 You came back from {score} behind!") if is_you else _("📈 {name} came back from {score} behind!")
        score = format_number(deficit)
        dare = _("Come back from {score} behind?").format(score=score) if deficit > _WORTH_A_DARE * far_behind else ""
        yield ProudFact(Pride.COMEBACK, winner, line.format(name=name, score=score), dare)


def _seat_of_biggest_turn(best_turns: Sequence[BestTurn | None]) -> Seat | None:
    """Return the seat that made more in a turn than any other ever did, or None."""
    changes = [0 if best is None else abs(best.change) for best in best_turns]
    biggest = max(changes, default=0)
    return changes.index(biggest) if biggest and changes.count(biggest) == 1 else None


def describe_best_turn(table: Table, seat: Seat) -> str:
    """Return what the best turn of a seat brought, such as `full house, +8`; empty if nothing is told of it."""
    best = table.best_turns[seat] if table.best_turns else None
    narration = table.package.words.narration
    if best is None or narration is None:
        return ""
    view = table.package.game.view(best.state, None)
    return narration.brief(view, to_news(best.events, escaped_seat_names(table)))
