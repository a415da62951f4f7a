"""Renders the panel of the daily bag, its boards, and its seeds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import discord
from discord.utils import format_dt

from bot.features.daily_bag.model import (
    Attempt,
    Board,
    BoardKey,
    BoardRow,
    DailyFacts,
    DailyScores,
    Placing,
    daily_end_of,
    find_streak,
)
from bot.platform.discord.content import Button, MessageContent, drop_empty_rows, page_buttons, page_note
from bot.platform.discord.ids import CustomId
from bot.platform.paging import Page
from bot.platform.places import Day, name_of_day, start_of_day
from bot.rules.package import ScoreKind
from bot.tables.kinds import TIME_LIMIT, DailyBag
from bot.tables.shown.embeds import PLAIN_COLOUR, SEAT_COLOURS
from bot.tables.shown.links import escape_name, message_link
from bot.tables.table import Table
from bot.words import (
    format_days,
    format_number,
    gettext as _,
    ngettext,
    own_streak_line,
    place_label,
    server_streak_line,
)


class DailyBagButton(StrEnum):
    """The actions of the daily bag's buttons."""

    SHOW = "show"
    PLAY = "play"
    """Plays today's bag, whatever day the button shows."""
    SERVER = "server"
    """Shows the board of a day in the server."""
    EVERYWHERE = "all"
    """Shows the board of a day across servers."""
    CONSENT = "consent"
    """Shows the user on the board across servers from now on."""
    WITHDRAW = "withdraw"
    """Removes the user from the board across servers."""
    SEEDS = "seeds"


@dataclass(frozen=True)
class DailyBagId(CustomId, prefix="B"):
    """A button about the bag of a day. The click tells the person and the server."""

    button: DailyBagButton
    day: int
    page: int


_SHORT_COMMITMENT = 8

_OLDER_SEEDS = 2
"""The number of seeds shown from before yesterday: an unfinished attempt delays the publication of its day's seed."""


@dataclass(frozen=True, slots=True)
class DailyMoment:
    """The time and place at which the panel is shown."""

    now: datetime
    today: Day
    in_server: bool


def render_daily_panel(facts: DailyFacts, moment: DailyMoment, score_kind: ScoreKind) -> MessageContent:
    """Render today's results of a person and a server, with the buttons to everything else."""
    today, attempt = moment.today, facts.attempts.get(moment.today)
    own = find_streak(facts.own_days, today, facts.excused_days)
    lines = [*_attempt_lines(facts, attempt, moment, score_kind), "", own_streak_line(own.current, own.longest)]
    if own.current and not own.has_forgiveness:
        lines.append(_("This month's forgiven day is used up."))
    if moment.in_server:
        here = find_streak(facts.server_days, today, facts.excused_days)
        lines.append(server_streak_line(here.current, here.longest))
    lines.append(_("The next bag comes {when}.").format(when=format_dt(start_of_day(today + 1), "R")))
    embed = discord.Embed(
        title=_("Daily bag {day}").format(day=name_of_day(today)),
        description="\n".join(lines),
        colour=SEAT_COLOURS[0],
    )
    promises = ((_("Promised for today: {digits}…"), today), (_("for tomorrow: {digits}…"), today + 1))
    known = [(promise, facts.bags[day].commitment) for promise, day in promises if day in facts.bags]
    if known:
        note = " · ".join(promise.format(digits=commitment[:_SHORT_COMMITMENT]) for promise, commitment in known)
        embed.set_footer(text=note)
    return MessageContent(embed.to_dict(), _panel_buttons(facts, moment))


def _attempt_lines(facts: DailyFacts, attempt: Attempt | None, moment: DailyMoment, kind: ScoreKind) -> Iterator[str]:
    if yesterday := facts.open_attempt(moment.today - 1):
        link, until = message_link(yesterday.location, None), yesterday.started_at + TIME_LIMIT
        text = _("Yesterday's bag is still open, and counts if you finish it {when}: {link}")
        if until <= moment.now:
            text = _("Yesterday's bag is still open, and counts if you finish it now: {link}")
        yield text.format(when=format_dt(until, "R"), link=link)
    if attempt is None:
        yield _(
            "One Magic Bag a day, with the same dice for everyone who decides alike. Your first attempt counts, "
            "whether or not you finish it; all others are practice."
        )
    elif facts.open_attempt(moment.today):
        yield _("Your attempt is open: {link}").format(link=message_link(attempt.location, None))
    elif attempt.score is None:
        yield _("Your attempt ended without a result. You can practise with today's bag.")
    else:
        yield _("Your result: **{score}**").format(score=kind.format_score(attempt.score))
        if facts.here is not None:
            yield _place_line(_("🎒 Place {place} of {count} in this server"), facts.here)
        if facts.everywhere is not None:
            yield _place_line(_("🌍 Place {place} of {count} across all servers"), facts.everywhere)


def _place_line(line: str, placing: Placing) -> str:
    return line.format(place=format_number(placing.place), count=format_number(placing.count))


def _panel_buttons(facts: DailyFacts, moment: DailyMoment) -> tuple[tuple[Button, ...], ...]:
    play = _button(_("Play today's bag"), DailyBagButton.PLAY, moment.today, discord.ButtonStyle.success)
    if moment.today in facts.attempts:
        play = _button(_("Practise today's bag"), DailyBagButton.PLAY, moment.today)
    is_open = facts.open_attempt(moment.today) is not None
    here = (_button(_("This server"), DailyBagButton.SERVER, moment.today),) if moment.in_server else ()
    others = (
        _button(_("All servers"), DailyBagButton.EVERYWHERE, moment.today),
        _button(_("Seeds and proof"), DailyBagButton.SEEDS, moment.today),
    )
    return drop_empty_rows(() if is_open else (play,), (*here, *others))


def _button(
    label: str,
    button: DailyBagButton,
    day: Day,
    style: discord.ButtonStyle = discord.ButtonStyle.secondary,
    page: int = 1,
) -> Button:
    return Button(label, str(DailyBagId(button, day, page)), style)


@dataclass(frozen=True, slots=True)
class ShownBoard:
    """A page of a board, with the board's key."""

    board: Board
    key: BoardKey
    page: Page


def render_daily_board(shown: ShownBoard, today: Day, kind: ScoreKind, asker_id: int) -> MessageContent:
    """Render a page of a board.

    Args:
        shown: The page.
        today: The present day.
        kind: How scores are written.
        asker_id: The asker; their own row is always shown if they have a result.
    """
    board, key, page = shown.board, shown.key, shown.page
    title = _("Daily bag {day} · this server") if key.guild_id is not None else _("Daily bag {day} · all servers")
    lines = [_row_line(row, kind, asker_id) for row in board.rows] or [_empty_text(key, today)]
    if board.own is not None and board.own.user_id not in {row.user_id for row in board.rows}:
        lines += ["⋯", _row_line(board.own, kind, asker_id, is_hidden=not board.is_shown)]
    if key.guild_id is None:
        consent = _("Only people who have agreed are shown here, by the names of their accounts. Others don't see you.")
        if board.is_shown:
            consent = _(
                "Everyone can see the name of your account and your results here. You can hide them at any time."
            )
        lines += ["", consent]
    embed = discord.Embed(
        title=title.format(day=name_of_day(key.day)), description="\n".join(lines), colour=SEAT_COLOURS[0]
    )
    players = ngettext("{count} player", "{count} players", board.total).format(count=format_number(board.total))
    notes = (players, page_note(page), "" if key.day == today else _("The final board."))
    embed.set_footer(text=" · ".join(filter(None, notes)))
    return MessageContent(embed.to_dict(), _board_buttons(shown, today))


def _row_line(row: BoardRow, kind: ScoreKind, asker_id: int, *, is_hidden: bool = False) -> str:
    name = f"**{escape_name(row.name)}**"
    if row.user_id == asker_id:
        name = (_("{name} (you, not shown to others)") if is_hidden else _("{name} (you)")).format(name=name)
    return f"{place_label(row.place)} {name} · {kind.format_score(row.score)}"


def _empty_text(key: BoardKey, today: Day) -> str:
    is_today = key.day == today
    if key.guild_id is not None:
        return _("No one has finished today's bag yet.") if is_today else _("No one finished the bag of this day.")
    if is_today:
        return _("No one who agreed to be shown has finished today's bag yet.")
    return _("No one who agreed to be shown finished the bag of this day.")


def _board_buttons(shown: ShownBoard, today: Day) -> tuple[tuple[Button, ...], ...]:
    board, key, page = shown.board, shown.key, shown.page
    this = DailyBagButton.EVERYWHERE if key.guild_id is None else DailyBagButton.SERVER
    other = _button(_("Yesterday"), this, today - 1) if key.day == today else _button(_("Today"), this, today)
    consent: tuple[Button, ...] = ()
    if key.guild_id is None:
        label, button = (
            (_("Hide me from the board of all servers"), DailyBagButton.WITHDRAW)
            if board.is_shown
            else (_("Show me on the board of all servers"), DailyBagButton.CONSENT)
        )
        consent = (_button(label, button, key.day, page=page.number),)
    back = _button(_("◀ Daily bag"), DailyBagButton.SHOW, today)
    return drop_empty_rows(page_buttons(page, lambda number: DailyBagId(this, key.day, number)), consent, (back, other))


def render_seeds(bags: Mapping[Day, DailyBag], today: Day) -> MessageContent:
    """Render the commitments for today and tomorrow, and the published seeds of the last days."""
    embed = discord.Embed(title=_("Daily bag · seeds and proof"), colour=PLAIN_COLOUR)
    embed.description = _(
        "All dice of a day follow from its seed. Its SHA-256 is promised on the day before, and the seed is "
        "published on the day after, once no attempt that counts is open. To check one: "
        "`printf SEED | xxd -r -p | openssl sha256`\n*Check fairness* under your table attaches its record for "
        "`python -m bot record verify`."
    )
    older = sorted((day for day in bags if day < today - 1), reverse=True)[:_OLDER_SEEDS]
    for title, day in (
        (_("Today, {day}"), today),
        (_("Tomorrow, {day}"), today + 1),
        (_("Yesterday, {day}"), today - 1),
        *(("{day}", day) for day in older),
    ):
        text = "\n".join(_bag_lines(bags.get(day), today, is_over=day < today))
        embed.add_field(name=title.format(day=name_of_day(day)), value=text, inline=False)
    back = _button(_("◀ Daily bag"), DailyBagButton.SHOW, today)
    return MessageContent(embed.to_dict(), ((back,),))


def _bag_lines(bag: DailyBag | None, today: Day, *, is_over: bool) -> Sequence[str]:
    if bag is None:
        return (_("There is no bag: I wasn't running."),) if is_over else (_("Not promised yet."),)
    promised = _("Promised {when}:\n`{commitment}`")
    if bag.is_late:
        promised = _("⚠️ Promised late, {when}, because I wasn't running on the day before:\n`{commitment}`")
    lines = [promised.format(when=format_dt(bag.committed_at, "f"), commitment=bag.commitment)]
    if bag.published_at is not None:
        lines.append(_("The seed:\n`{seed}`").format(seed=bag.seed.hex()))
    elif bag.day == today - 1:
        until = format_dt(start_of_day(bag.day + 2), "R")
        lines.append(
            _("The seed is secret until those who still play have finished, at the latest {when}.").format(when=until)
        )
    elif is_over:
        lines.append(_("The seed is secret until those who still play have finished."))
    return lines


def daily_bag_buttons(table: Table) -> tuple[Button, ...]:
    """Return a finished daily bag's button for the standings of its day."""
    if table.daily_day is None:
        return ()
    return (Button(_("Daily bag"), str(DailyBagId(DailyBagButton.SHOW, table.daily_day, 1))),)


def daily_lines(table: Table, scores: DailyScores | None) -> Iterator[str]:
    """Yield the place and the streak at the end of a daily bag, as far as known."""
    end = daily_end_of(table)
    if end is None:
        # An attempt that ends after its seed was published has become practice.
        took = table.header.updated_at - table.header.created_at
        if table.daily_day is not None and table.outcome is not None and took >= TIME_LIMIT:
            yield _("⌛ Not finished within 24 hours, so it doesn't count.")
    elif end.score is not None and scores is not None:
        line = _("🔥 Streak: {days}")
        if table.header.location.guild_id is not None:
            better = sum(people for score, people in scores.scores.items() if score > end.score)
            place, count = format_number(better + 1), format_number(1 + sum(scores.scores.values()))
            yield _("🎒 Place {place} of {count} in this server so far").format(place=place, count=count)
            line = _("🔥 Streak in this server: {days}")
        streak = find_streak(sorted({*scores.own_days, end.day}), end.day, scores.excused_days)
        yield line.format(days=format_days(streak.current))


def shared_daily_text(table: Table) -> str:
    """Return the text that is posted with a daily bag's result, as a code block so that it is easy to copy."""
    day, outcome, summarize = table.daily_day, table.outcome, table.package.results.summarize
    if day is None or outcome is None or summarize is None:
        raise ValueError(f"table {table.id} has no daily bag to share")
    score = table.package.results.score_kind.format_score(outcome.scores[0])
    return _("**{name}** played the daily bag:\n```\nDaily bag {day}: {score}\n{summary}\n```").format(
        name=escape_name(table.seats[0].name), day=name_of_day(day), score=score, summary=summarize(table.state)
    )
