"""Tournaments and tie-breaks of Change, and the ranking by credits."""

from collections.abc import Sequence

from bot.games.change.pieces import SHORT_CREDITS, ChangeOptions
from bot.rules.game import Seat
from bot.rules.outcome import places_by_score
from bot.rules.package import Series


def games_in_tournament(options: ChangeOptions) -> int:
    """Return the number of games in a tournament. Rule CH-14."""
    return options.games


def rank_by_fewest_credits(credits_left: Sequence[int]) -> tuple[int, ...]:
    """Rank seats by credits left, in a game or summed over a tournament; ties share a place. Rules CH-12 and CH-14."""
    return places_by_score([-count for count in credits_left])


def winners_of(credits_left: Sequence[int]) -> tuple[Seat, ...]:
    """Return the seats in first place. Rule CH-12."""
    return tuple(seat for seat, place in enumerate(rank_by_fewest_credits(credits_left)) if place == 1)


def tie_break_options(options: ChangeOptions) -> ChangeOptions:
    """Return the options of a tie-break: the same, from 50 credits. Rule CH-13."""
    return options.model_copy(update={"credits": SHORT_CREDITS})


SERIES = Series(count_games=games_in_tournament, rank_seats=rank_by_fewest_credits, tie_break_options=tie_break_options)
