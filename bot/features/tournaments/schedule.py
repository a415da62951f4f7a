"""What is due when in a tournament."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

from bot.features.tournaments.model import Stage, Tournament, TournamentId
from bot.platform.jobs.model import Job

ADVANCE_KIND: Final = "tournament"
"""Takes over results, opens tables and shows the tournament."""

REMINDER_KIND: Final = "tournament reminder"
DEADLINE_KIND: Final = "tournament deadline"
FORGOTTEN_KIND: Final = "forgotten tournament"
"""Closes one that nobody has started or decided."""

START_WITHIN: Final = timedelta(days=14)
DECIDE_WITHIN: Final = timedelta(days=28)
"""How long organizers may leave a round undecided whose time is up."""


def round_key(tournament_id: TournamentId, number: int) -> str:
    """Return the key of the jobs of a round."""
    return f"{tournament_id}:{number}"


def parse_round_key(key: str) -> tuple[TournamentId, int]:
    """Return the tournament and the round of a job."""
    tournament_id, number = key.split(":")
    return int(tournament_id), int(number)


def jobs_at_opening(guild_id: int, now: datetime) -> Sequence[Job]:
    """Return what is due because a tournament is opened, with empty keys: it has no id yet."""
    return (
        Job(ADVANCE_KIND, "", now, guild_id=guild_id),
        Job(FORGOTTEN_KIND, "", now + START_WITHIN, counts_from=now, guild_id=guild_id),
    )


def jobs_after(before: Tournament, after: Tournament, now: datetime) -> Sequence[Job]:
    """Return what is due because of a change: at once what shows it, and what a round that begins anew needs."""
    guild_id = after.location.guild_id or 0
    found = [Job(ADVANCE_KIND, str(after.id), now, guild_id=guild_id)]
    has_more_time = before.is_late and not after.is_late
    if after.stage is Stage.RUNNING and (after.round != before.round or has_more_time):
        span, key = timedelta(hours=after.round_hours), round_key(after.id, after.round)
        found.append(Job(REMINDER_KIND, key, now + span / 2, counts_from=now, guild_id=guild_id))
        found.append(Job(DEADLINE_KIND, key, now + span, counts_from=now, guild_id=guild_id))
    if after.is_late and not before.is_late:
        due = now + DECIDE_WITHIN
        found.append(Job(FORGOTTEN_KIND, str(after.id), due, counts_from=now, guild_id=guild_id))
    return found
