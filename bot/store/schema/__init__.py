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
from bot.store.schema.results import IS_FIRST_SEAT, IS_PERSON, animations, results, reviews
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

__all__ = [
    "AWAITS_COMPUTER",
    "AWAITS_PERSON",
    "IS_ASIDE",
    "IS_CONTINUATION",
    "IS_FIRST_SEAT",
    "IS_LOBBY",
    "IS_OPEN",
    "IS_PERSON",
    "IS_UNFINISHED",
    "IS_UNSHOWN",
    "STANDS",
    "UtcDateTime",
    "animations",
    "announcements",
    "blocks",
    "daily_answers",
    "invitation_refusals",
    "invitations",
    "jobs",
    "metadata",
    "moves",
    "notes",
    "personal_preferences",
    "preferences",
    "puzzle_answers",
    "reminders",
    "results",
    "reviews",
    "seats",
    "settings_changes",
    "tables",
]
