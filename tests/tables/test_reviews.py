"""Reviews of stored games: their accounts are those of what was decided and rolled at the table."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest

from bot.features.replays.model import Replay
from bot.features.reviews import storage as review_storage
from bot.features.reviews.handlers import Reviewer
from bot.features.reviews.messages import ReviewPage, describe_amount, render_review
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.time_slices import TimeSlices
from bot.rules.chance import FastChance
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.review import Assessment, Review
from bot.tables import storage as table_storage
from bot.tables.control_entries import ComeBack, ControlEntry, Resign, Substitute
from bot.tables.registry import AnyPackage, GameRegistry
from bot.tables.thinker import Question, Thinker, Thought, assess_move
from bot.words import gettext
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase
from tests.support.review_texts import require_sums
from tests.support.stored_games import choose_by_level, play_stored, replay_of

GAMES = 120
_CARELESS = 1
"""The seat that does not always make the best move."""


def evaluate_each_once(package: AnyPackage) -> AnyPackage:
    """Return a game whose positions are evaluated once, when they are played: the review asks for them again."""
    assert package.mind.evaluate is not None
    return replace(package, mind=replace(package.mind, evaluate=lru_cache(maxsize=None)(package.mind.evaluate)))


class DirectAssessor(Thinker):
    """Says what moves were worth as workers do, at once."""

    def __init__(self, games: GameRegistry) -> None:
        self._games = games

    async def assess(self, question: Question, chosen: int) -> Thought[Assessment]:
        return assess_move(question, chosen, self._games)


@dataclass
class Accounts:
    """Plays both seats of a game of chances of winning, and keeps the accounts while it does."""

    package: AnyPackage
    source: Random
    start: float = 0.5
    """What the first seat could expect."""
    luck: list[float] = field(default_factory=lambda: [0.0, 0.0])
    given_away: list[float] = field(default_factory=lambda: [0.0, 0.0])
    _latest: tuple[int, float] | None = None
    """Who moved last, and what the move was worth."""

    def choose(self, seat: int, view: Any, moves: Sequence[Any]) -> Any:
        values = self._evaluate(view, moves).values
        best = max(values)
        if self._latest is None:
            self.start = best if seat == 0 else 1 - best
        self._note_luck(seat, best)
        move = moves[values.index(best)]
        if seat == _CARELESS and self.source.random() < 0.2:
            move = self.source.choice(moves)
        worth = values[moves.index(move)]
        self.given_away[seat] += best - worth
        self._latest = seat, worth
        return move

    def end(self, results: Sequence[float]) -> None:
        """Note what the last move came to."""
        self._note_luck(0, results[0])

    def _evaluate(self, view: Any, moves: Sequence[Any]) -> Evaluation:
        assert self.package.mind.evaluate is not None
        return self.package.mind.evaluate(view, moves)

    def _note_luck(self, seat: int, chance: float) -> None:
        """Note how the latest move turned out, now that a seat has this chance of winning."""
        if self._latest is not None:
            mover, worth = self._latest
            self.luck[mover] += (chance if seat == mover else 1 - chance) - worth


@pytest.mark.slow
async def test_start_luck_and_skill_make_the_result_and_luck_averages_zero() -> None:
    """Exact values of many games of Magpie, between a strong and a careless player."""
    package = evaluate_each_once(load_games_once()["magpie"])
    reviewer = Reviewer(DirectAssessor(GameRegistry([package])), MemoryDatabase(), TimeSlices(), str)
    lucks = list[float]()
    for number in range(GAMES):
        played = Accounts(package, Random(number))
        stored = play_stored(package, 2, played.choose, options=MagpieOptions(target=50), seed=number)
        replay = replay_of(stored, package)
        outcome = replay.stages[-1].outcome
        assert outcome is not None
        results = [(seat in outcome.winners) / len(outcome.winners) for seat in range(2)]
        played.end(results)
        require_accounts(await reviewer.start(replay).task, played, results)
        lucks.append(played.luck[0] - played.luck[1])
    assert abs(fmean(lucks)) < 3 * stdev(lucks) / sqrt(GAMES)


async def test_the_account_of_a_game_that_was_given_up_ends_before_the_resignation() -> None:
    choices = Choices(evaluate_each_once(load_games_once()["magpie"]), left=0, since=9)
    replay, review = await play_and_review(choices, 2, {9: (0, Resign())})
    text = render_review(replay, review, None, ReviewPage.DECISIONS).text_embed_json["description"]
    require_sums(text)
    assert 0.01 < review.seats[0].end < 0.99
    assert gettext("A resignation ended the game; the figures end before it.") in text


async def test_a_stored_review_of_an_older_form_is_made_again() -> None:
    package, db = evaluate_each_once(load_games_once()["magpie"]), MemoryDatabase()
    choose = choose_by_level(package, ("normal",), FastChance(Random(4)))
    replay = replay_of(play_stored(package, 2, choose, options=MagpieOptions(target=50), seed=4), package)
    reviewer, end = Reviewer(DirectAssessor(GameRegistry([package])), db, TimeSlices(), str), replay.stages[-1]
    await db.write(table_storage.open_table, end.header, end.seats)
    review = await reviewer.start(replay).task
    assert await reviewer.load(end) == review
    kept = await db.read(review_storage.find, end.id)
    assert kept is not None
    stored = json.loads(kept)
    for account in stored["review"]["seats"]:
        del account["vacated_decisions"]
    await db.maintain(review_storage.put, end.id, json.dumps(stored))
    assert await reviewer.load(end) is None


@dataclass
class Choices:
    """Makes one of the best moves, or one of the worst for a seat whose person has left."""

    package: AnyPackage
    left: int
    """The seat."""
    since: int
    """The step from which on a computer player has it."""
    until: int = 1_000
    """The step from which on its person is back."""
    step: int = 0
    own: int = 0
    """How often the person chose among several moves."""

    def choose(self, seat: int, view: Any, moves: Sequence[Any]) -> Any:
        self.step += 1 + (self.step + 1 in {self.since, self.until})
        assert self.package.mind.evaluate is not None
        values = self.package.mind.evaluate(view, moves).values
        is_person = not self.since < self.step < self.until
        self.own += seat == self.left and is_person and len(moves) > 1
        return moves[values.index(max(values) if is_person or seat != self.left else min(values))]


async def play_and_review(
    choices: Choices, seats: int, control_entries: Mapping[int, tuple[int, ControlEntry]]
) -> tuple[Replay, Review]:
    package = choices.package
    options = MagpieOptions(target=50)
    stored = play_stored(package, seats, choices.choose, options=options, seed=4, control_entries=control_entries)
    replay = replay_of(stored, package)
    reviewer = Reviewer(DirectAssessor(GameRegistry([package])), MemoryDatabase(), TimeSlices(), str)
    return replay, await reviewer.start(replay).task


def played_by_computer() -> str:
    """Return what precedes the losses of a computer player that played part of a game."""
    return gettext("a computer player played part of it and gave away {lost}").partition("{")[0]


async def test_what_a_computer_player_decides_after_a_resignation_is_not_its_persons() -> None:
    choices = Choices(evaluate_each_once(load_games_once()["magpie"]), left=0, since=9)
    replay, review = await play_and_review(choices, 3, {9: (0, Resign())})
    robin = review.seats[0]
    assert choices.own > 0
    assert (robin.decisions, robin.given_away) == (choices.own, 0)
    assert robin.vacated_decisions > 0
    assert robin.vacated_given_away > 1
    assert [each for each in review.costly if each.seat == 0] == []
    text = render_review(replay, review, 0, ReviewPage.DECISIONS).text_embed_json["description"]
    line = next(line for line in text.splitlines() if "**Robin**" in line)
    gave_nothing = gettext("gave away {lost}").format(lost=describe_amount(0, Unit.POINTS))
    assert f"{gave_nothing} · {played_by_computer()}" in line
    assert line.endswith(" · " + gettext("excellent"))
    cards = render_review(replay, review, 0).text_embed_json["description"]
    assert gettext("💡 **One thing to try:** nothing. There was no decision to regret.") in cards
    assert "🟦 Robin 🤖: " in text, "a computer player's error, by which the game turned"


async def test_what_a_substitute_decides_is_not_its_persons() -> None:
    choices = Choices(evaluate_each_once(load_games_once()["magpie"]), left=0, since=6, until=14)
    replay, review = await play_and_review(choices, 2, {6: (1, Substitute(0)), 14: (0, ComeBack())})
    robin, wren = review.seats
    assert (robin.decisions, robin.given_away) == (choices.own, 0)
    assert robin.vacated_given_away == wren.received > 0.01
    assert [each.end for each in review.seats] == pytest.approx([each.result for each in review.seats], abs=1e-9)
    text = render_review(replay, review, 0, ReviewPage.DECISIONS).text_embed_json["description"]
    require_sums(text)
    assert re.search(rf"\*\*Robin\*\* .* · {re.escape(played_by_computer())}\d+% ", text)


def require_accounts(review: Review, played: Accounts, results: Sequence[float]) -> None:
    assert (review.unit, review.is_exact) == (Unit.WINS, True)
    first, second = review.seats
    assert (first.start, second.start) == pytest.approx((played.start, 1 - played.start), abs=1e-9)
    assert [each.luck for each in review.seats] == pytest.approx(played.luck, abs=1e-9)
    assert [each.given_away for each in review.seats] == pytest.approx(played.given_away, abs=1e-9)
    net = (first.luck - first.given_away) - (second.luck - second.given_away)
    assert [first.start + net, second.start - net] == pytest.approx(results, abs=1e-9)
    assert [each.end for each in review.seats] == pytest.approx(results, abs=1e-9)
    assert [each.result for each in review.seats] == results
