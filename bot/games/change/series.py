"""How games of Change follow one another: tournaments and tie-breaks."""

from collections.abc import Sequence

from bot.games.change.pieces import SHORT_CREDITS, ChangeOptions
from bot.rules.outcome import places_by_score
from bot.rules.package import Series


def games_in_tournament(options: ChangeOptions) -> int:
    """Return how many games a tournament has. Rule CH-14."""
    return options.games


def rank_by_fewest_credits(sums: Sequence[int]) -> tuple[int, ...]:
    """Rank what everybody has still held after each game; equal sums share a place. Rule CH-14."""
    return places_by_score([-held for held in sums])


def tie_break_options(options: ChangeOptions) -> ChangeOptions:
    """Return the same options, from 50 credits. Rule CH-13."""
    return options.model_copy(update={"credits": SHORT_CREDITS})


SERIES = Series(count_games=games_in_tournament, rank_seats=rank_by_fewest_credits, tie_break_options=tie_break_options)
