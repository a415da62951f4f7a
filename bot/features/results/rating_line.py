"""The line of a finished table about ratings."""

from collections.abc import Mapping, Sequence
from typing import Final

from bot.features.results.rating_news import RatingOutcome
from bot.features.results.ratings import DAILY_GAMES_OF_PAIR, PROVISIONAL_GAMES, NotRated, Rating, RatingChange
from bot.words import N_, format_number, gettext as _

_FEW: Final = 3
"""With more people there is only room for the changes."""

_REASONS: Mapping[NotRated, str] = {
    NotRated.COMPUTER: N_("a computer player took part"),
    NotRated.HINTS: N_("hints were used"),
    NotRated.SUBSTITUTE: N_("a computer player stood in"),
    NotRated.EARLY_RESIGNATION: N_("someone resigned before all had moved"),
    NotRated.REPEATED_PAIR: N_("only {count} games a day count for the same two people"),
}
"""That a game in a direct message, or without an opponent, does not count surprises nobody."""


def rating_line(outcome: RatingOutcome | None, names: Sequence[str]) -> str:
    """Say what a table did to ratings, or why it did nothing; empty if that is not known or no news.

    Args:
        outcome: What it did.
        names: The names of the seats.
    """
    if not outcome:
        return ""
    if isinstance(outcome, NotRated):
        reason = _REASONS.get(outcome, "")
        told = _(reason).format(count=format_number(DAILY_GAMES_OF_PAIR))
        return _("📊 Ratings unchanged: {reason}").format(reason=told) if reason else ""
    format_change = _format_change if len(outcome) <= _FEW else _format_points
    changes = ", ".join(f"{names[change.seat]} {format_change(change)}" for change in outcome)
    return _("📊 Ratings: {changes}").format(changes=changes)


def format_rating(rating: Rating) -> str:
    """Return a rating, with a question mark while it is provisional."""
    return mark_provisional(rating.shown, is_provisional=rating.is_provisional)


def mark_provisional(shown: int, *, is_provisional: bool) -> str:
    """Return the number of a rating, with a question mark if it is provisional."""
    return f"{format_number(shown)}{'?' if is_provisional else ''}"


def provisional_note() -> str:
    """Return what the question mark means."""
    return _("? marks ratings after fewer than {count} games.").format(count=format_number(PROVISIONAL_GAMES))


def _format_change(change: RatingChange) -> str:
    return f"{format_rating(change.after)} ({_format_points(change)})"


def _format_points(change: RatingChange) -> str:
    sign = "+" if change.points > 0 else "−" if change.points < 0 else "±"
    return f"{sign}{format_number(abs(change.points))}"
