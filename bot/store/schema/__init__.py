"""The database schema, as SQLAlchemy Core tables."""

from bot.store.schema.base import UtcDateTime, metadata
from bot.store.schema.jobs import jobs, notes
from bot.store.schema.notifications import STANDS, announcements, invitations, reminders
from bot.store.schema.preferences import (
    blocks,
    invitation_refusals,
    personal_preferences,
    preferences,
    settings_changes,
)
from bot.store.schema.puzzles import daily_answers, puzzle_answers
from bot.store.schema.ratings import rating_changes, ratings
from bot.store.schema.results import IS_FIRST_SEAT, IS_PERSON, IS_SOLO, animations, results, reviews
from bot.store.schema.tables import (
    AWAITS_COMPUTER,
    AWAITS_PERSON,
    IS_ASIDE,
    IS_CONTINUATION,
    IS_LOBBY,
    IS_OPEN,
    IS_UNFINISHED,
    IS_UNSHOWN,
    moves,
    seats,
    tables,
)
from bot.store.schema.totals import (
    HAS_HIGHEST,
    HAS_LOWEST,
    HAS_RATING,
    IS_LIFETIME,
    boards,
    encounters,
    played_days,
    season_champions,
    seasons,
    totals,
)

__all__ = [
    "AWAITS_COMPUTER",
    "AWAITS_PERSON",
    "HAS_HIGHEST",
    "HAS_LOWEST",
    "HAS_RATING",
    "IS_ASIDE",
    "IS_CONTINUATION",
    "IS_FIRST_SEAT",
    "IS_LIFETIME",
    "IS_LOBBY",
    "IS_OPEN",
    "IS_PERSON",
    "IS_SOLO",
    "IS_UNFINISHED",
    "IS_UNSHOWN",
    "STANDS",
    "UtcDateTime",
    "animations",
    "announcements",
    "blocks",
    "boards",
    "daily_answers",
    "encounters",
    "invitation_refusals",
    "invitations",
    "jobs",
    "metadata",
    "moves",
    "notes",
    "personal_preferences",
    "played_days",
    "preferences",
    "puzzle_answers",
    "rating_changes",
    "ratings",
    "reminders",
    "results",
    "reviews",
    "season_champions",
    "seasons",
    "seats",
    "settings_changes",
    "tables",
    "totals",
]
