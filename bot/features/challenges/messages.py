"""Renders the end of an attempt, what people share of it, and the ping of the day."""

from collections.abc import Iterator
from typing import Final

import discord
from discord.utils import format_dt

from bot.features.challenges.ids import ChallengeButton, ChallengeId, challenge_button
from bot.features.challenges.model import Standing, Streak
from bot.platform.discord.content import Button, MessageContent
from bot.rules.picture import isolate_name
from bot.tables.kinds import Cadence, Edition
from bot.tables.shown.embeds import PLAIN_COLOUR
from bot.tables.shown.links import sanitize_name
from bot.tables.table import Table
from bot.words import LEAST_STREAK, N_, format_days, format_number, gettext as _

_SHARED_TITLES = {
    Cadence.DAILY: N_("Parlour daily {number} · {score}"),
    Cadence.WEEKLY: N_("Parlour bag {number} · {score}"),
}
_PLAY_LABELS = {Cadence.DAILY: N_("Play today's ten"), Cadence.WEEKLY: N_("Play this week's bag")}

_USUAL_SCORES: Final = {Cadence.DAILY: (27, 80), Cadence.WEEKLY: (390, 750)}
"""Four of five scores lie between these, if a player makes the second-best move every third time."""


def score_of(table: Table) -> str:
    """Return the score of a finished table with its unit."""
    outcome = table.outcome
    return "" if outcome is None else table.package.results.score_kind.format_score(outcome.scores[0])


def summary_of(table: Table) -> str:
    """Return a finished table in symbols, without anything that helps others."""
    summarize = table.package.results.summarize
    return "" if summarize is None or table.outcome is None else summarize(table.state)


def result_lines(table: Table, standing: Standing | None) -> Iterator[str]:
    """Yield what an attempt's player reads at its end; less if the database could not be asked."""
    edition = table.edition
    if edition is None:
        return
    # Squares would become the emoji of seats, but symbols in names stay: the grid is marked like a name.
    yield from map(isolate_name, summary_of(table).splitlines())
    if standing is not None:
        yield from _standing_lines(table, standing)
    yield _("Next one: {when}").format(when=format_dt(edition.ends_at, "R"))


def _standing_lines(table: Table, standing: Standing) -> Iterator[str]:
    if not standing.counts:
        yield _("⌛ Its time was over, so this one doesn't count.")
        return
    outcome, format_score = table.outcome, table.package.results.score_kind.format_score
    if standing.best is not None and outcome is not None:
        line = _("🏅 Your best so far: {score}")
        if outcome.scores[0] > standing.best:
            line = _("🏅 Your best yet! Before: {score}")
        yield line.format(score=format_score(standing.best))
    edition = table.edition
    if standing.best is None and edition is not None:
        least, most = _USUAL_SCORES[edition.cadence]
        yield _("🎯 Most scores lie between {least} and {most}").format(least=least, most=most)
    if standing.here is not None and standing.here.count > 1:
        place, count = format_number(standing.here.place), format_number(standing.here.count)
        yield _("🏠 Place {place} of {count} in this server so far").format(place=place, count=count)
    if standing.percent is not None:
        line = _("🌍 Better than {percent}% of today's players")
        if edition is not None and edition.cadence is Cadence.WEEKLY:
            line = _("🌍 Better than {percent}% of this week's players")
        yield line.format(percent=format_number(standing.percent))
    if standing.streak.current >= LEAST_STREAK:
        yield _("🔥 Streak: {days}").format(days=format_days(standing.streak.current))


def result_buttons(table: Table) -> tuple[Button, ...]:
    """Return the buttons below the end of an attempt."""
    edition = table.edition
    if edition is None or table.outcome is None:
        return ()
    boards: tuple[Button, ...] = (challenge_button(_("All servers"), ChallengeButton.EVERYWHERE, edition),)
    if table.header.location.guild_id is not None:
        boards = (challenge_button(_("This server"), ChallengeButton.SERVER, edition), *boards)
    share = challenge_button(_("Share"), ChallengeButton.SHARE, edition, discord.ButtonStyle.primary)
    return (share, *boards, menu_button(edition))


def menu_button(edition: Edition) -> Button:
    """Return the button that leads to the menu of today."""
    return challenge_button(_("Today"), ChallengeButton.MENU, edition)


def playing_buttons(table: Table) -> tuple[Button, ...]:
    """Return the button in *More …* of an attempt that leads to the menu of today."""
    return () if table.edition is None else (menu_button(table.edition),)


def render_shared(table: Table, streak: Streak) -> tuple[str, MessageContent]:
    """Return the text that is posted with a result, and the name and the button below it.

    The text alone is the message, so that it is copied without the name.
    """
    edition = table.edition
    if edition is None:
        raise ValueError(f"table {table.id} belongs to no challenge")
    number, score = format_number(edition.number), score_of(table)
    first = _(_SHARED_TITLES[edition.cadence]).format(number=number, score=score)
    if streak.current >= LEAST_STREAK:
        first = _("{result} · 🔥 {days}").format(result=first, days=format_number(streak.current))
    embed = {"type": "rich", "author": {"name": sanitize_name(table.seats[0].name)}, "color": PLAIN_COLOUR}
    play = Button(
        _(_PLAY_LABELS[edition.cadence]),
        str(ChallengeId(ChallengeButton.PLAY, edition.cadence, edition.day, 1)),
        discord.ButtonStyle.success,
    )
    return f"{first}\n{summary_of(table)}", MessageContent(embed, ((play,),))
