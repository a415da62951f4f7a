"""The database schema, as SQLAlchemy Core tables."""

from bot.features.blocks.storage import blocks
from bot.features.daily_bag.storage import (
    HAS_SCORE,
    IS_ATTEMPT_OPEN,
    IS_SHOWN_EVERYWHERE,
    daily_attempts,
    daily_bags,
    daily_consents,
    daily_servers,
)
from bot.features.idle_tables.storage import announcements
from bot.features.invitations.storage import invitations
from bot.features.puzzles.storage import daily_answers, puzzle_answers
from bot.features.reminders.storage import ping_people, pings
from bot.features.replays.storage import animations
from bot.features.results.storage import (
    HAS_HIGHEST,
    HAS_LOWEST,
    HAS_RATING,
    IS_LIFETIME,
    boards,
    encounters,
    played_days,
    rating_changes,
    ratings,
    totals,
)
from bot.features.reviews.storage import reviews
from bot.features.seasons.storage import season_champions, seasons
from bot.features.settings.storage import settings, settings_changes
from bot.features.tournaments.storage import pairings, tournament_players, tournaments
from bot.platform.database.sql import UtcDateTime, metadata, notes
from bot.platform.jobs.downtimes import alive, downtimes
from bot.platform.jobs.shards import identifies, shard_leases
from bot.platform.jobs.storage import jobs
from bot.platform.notices.schema import IS_HELD, STANDS, reminders
from bot.tables.results import COUNTS_FOR_BADGES, IS_FIRST_SEAT, IS_SOLO, UNAIDED, results
from bot.tables.schema import (
    AWAITS_COMPUTER,
    AWAITS_PERSON,
    HAS_PERSON,
    IS_ASIDE,
    IS_CONTINUATION,
    IS_LESSON,
    IS_LOBBY,
    IS_OPEN,
    IS_UNFINISHED,
    IS_UNSHOWN,
    badges_earned,
    compacted_moves,
    moves,
    seats,
    tables,
)

__all__ = [
    "AWAITS_COMPUTER",
    "AWAITS_PERSON",
    "COUNTS_FOR_BADGES",
    "HAS_HIGHEST",
    "HAS_LOWEST",
    "HAS_PERSON",
    "HAS_RATING",
    "HAS_SCORE",
    "IS_ASIDE",
    "IS_ATTEMPT_OPEN",
    "IS_CONTINUATION",
    "IS_FIRST_SEAT",
    "IS_HELD",
    "IS_LESSON",
    "IS_LIFETIME",
    "IS_LOBBY",
    "IS_OPEN",
    "IS_SHOWN_EVERYWHERE",
    "IS_SOLO",
    "IS_UNFINISHED",
    "IS_UNSHOWN",
    "STANDS",
    "UNAIDED",
    "UtcDateTime",
    "alive",
    "animations",
    "announcements",
    "badges_earned",
    "blocks",
    "boards",
    "compacted_moves",
    "daily_answers",
    "daily_attempts",
    "daily_bags",
    "daily_consents",
    "daily_servers",
    "downtimes",
    "encounters",
    "identifies",
    "invitations",
    "jobs",
    "metadata",
    "moves",
    "notes",
    "pairings",
    "ping_people",
    "pings",
    "played_days",
    "puzzle_answers",
    "rating_changes",
    "ratings",
    "reminders",
    "results",
    "reviews",
    "season_champions",
    "seasons",
    "seats",
    "settings",
    "settings_changes",
    "shard_leases",
    "tables",
    "totals",
    "tournament_players",
    "tournaments",
]
