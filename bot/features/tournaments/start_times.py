"""Start times of tournaments: a delay from a list, or a date and an hour in the server's time zone."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from discord import app_commands

from bot.features.tournaments.model import TournamentReason
from bot.features.tournaments.words import format_minutes
from bot.platform.discord.menus import make_choices
from bot.platform.time_zones import format_clock, load_zone_or_utc
from bot.rules.refusals import Refusal, RefusalFacts, RefusalReason
from bot.tables.shown.words import write_date
from bot.words import N_, format_days

_HOURS: Final = (1, 2, 3, 6, 12, 24, 48, 72, 96, 120, 144, 168)
_DELAYS: Final = {f"{minutes}m": minutes for minutes in (30, *(60 * hours for hours in _HOURS))}
"""The listed delays in minutes, by what a command sends."""

_DATE: Final = re.compile(r"(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2})", re.ASCII)

START_AT_MOST: Final = timedelta(days=60)
"""How far away a start may be."""

START_TIME_ERROR_MESSAGES: Final[Mapping[RefusalReason, str]] = {
    TournamentReason.UNKNOWN_START: N_(
        "I don't know that time. Choose one from the list, or type a date and a time like `{example}` ({zone})."
    ),
    TournamentReason.START_OUT_OF_RANGE: N_(
        "A tournament starts in the future, and within {days}. In {zone} it is now {now}."
    ),
}


@dataclass(frozen=True)
class UnknownStartFacts(RefusalFacts):
    """How to type a start time."""

    example: str
    zone: str


@dataclass(frozen=True)
class StartRangeFacts(RefusalFacts):
    """Which start times are possible."""

    days: str
    zone: str
    now: str


def parse_start(text: str, now: datetime, zone_name: str) -> datetime:
    """Return the time at which a tournament starts, as it was chosen or typed.

    Raises:
        Refusal: The text is neither a delay nor a time that exists in the time zone, or the time is out of range.
    """
    if (minutes := _DELAYS.get(text)) is not None:
        return now + timedelta(minutes=minutes)
    zone = load_zone_or_utc(zone_name)
    start = _read_date(text, zone)
    if start is None:
        tomorrow = (now.astimezone(zone) + timedelta(days=1)).replace(hour=20, minute=0)
        raise Refusal(TournamentReason.UNKNOWN_START, UnknownStartFacts(_plain(tomorrow), zone_name))
    if not now < start <= now + START_AT_MOST:
        facts = StartRangeFacts(format_days(START_AT_MOST.days), zone_name, _plain(now.astimezone(zone)))
        raise Refusal(TournamentReason.START_OUT_OF_RANGE, facts)
    return start


def _read_date(text: str, zone: ZoneInfo) -> datetime | None:
    """Return a typed time; None if it is none, or the clocks skip it."""
    found = _DATE.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day, hour, minute = map(int, found.groups())
    try:
        local = datetime(year, month, day, hour, minute)  # noqa: DTZ001 - the zone follows
        start = local.replace(tzinfo=zone).astimezone(UTC)
        return start if start.astimezone(zone).replace(tzinfo=None) == local else None
    except (ValueError, OverflowError):
        return None


def suggest_starts(text: str, now: datetime, zone_name: str) -> list[app_commands.Choice[str]]:
    """Return the date that was typed, in words, or the delays that match."""
    try:
        local = parse_start(text, now, zone_name).astimezone(load_zone_or_utc(zone_name))
    except Refusal:
        labels = {format_minutes(minutes): value for value, minutes in _DELAYS.items()}
        wanted = text.strip().casefold()
        return make_choices((label, value) for label, value in labels.items() if wanted in label.casefold())
    return make_choices([(f"{write_date(local, 'yMMMEd')} · {format_clock(local.time())} · {zone_name}", text)])


def _plain(local: datetime) -> str:
    return f"{local:%Y-%m-%d %H:%M}"
