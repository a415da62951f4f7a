"""The daily post of a server: the results of the last ten rolls, and buttons for today's rolls and puzzle.

A job per server sends it. The day is noted before the message is sent, so that each day has at most one post, and a
crash in between sends none. A post that Discord refuses switches the daily post off; the settings and the log say why.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Final

import discord
from sqlalchemy import BigInteger, Column, Connection, Integer, Text, bindparam, insert, select, update

from bot.features.challenges.ids import ChallengeButton, challenge_button
from bot.features.challenges.menu import NAMES, Choice, choices_of, draw_menu, puzzle_choice
from bot.features.challenges.model import Board, BoardKey, Menu
from bot.features.challenges.service import ChallengeService
from bot.features.puzzles.messages import DailyPuzzleButton, DailyPuzzleId
from bot.features.puzzles.service import PuzzleService
from bot.features.settings.all_settings import GAMES
from bot.features.settings.kinds import Chosen
from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.posts import DAILY_CHANNEL, DAILY_HOUR, DAILY_ROLE, DAILY_ZONE
from bot.features.settings.service import SettingsCache
from bot.features.settings.storage import SettingsAuthor
from bot.platform.database.database import Database
from bot.platform.database.sql import rowless_table, try_insert
from bot.platform.discord.answers import Interaction
from bot.platform.discord.channels import fetch_channels, missing_for_posts
from bot.platform.discord.content import Button, MessageContent, drop_empty_rows
from bot.platform.discord.errors import ChannelDeleted, ChannelUnreachable, DeliveryFailed
from bot.platform.discord.http import NETWORK_ERRORS, MessageClient, classify_error, post_request
from bot.platform.discord.picture_attachments import PictureAttacher, send_with_fallback
from bot.platform.discord.rate_limits import Urgency
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.storage import Job
from bot.platform.places import Location, day_of, start_of_day
from bot.platform.time_zones import load_zone_or_utc, next_hour
from bot.rules.refusals import Refusal
from bot.tables.kinds import Cadence, Edition, edition_on
from bot.tables.registry import AnyPackage
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.links import escape_name
from bot.tables.shown.words import write_date
from bot.words import N_, format_number, gettext as _, join_items, ngettext, place_label, server_streak_line

log = logging.getLogger(__name__)

DAILY_POST: Final = "daily post"
"""The kind of the jobs; their keys are ids of servers."""

_SPREAD: Final = timedelta(minutes=10)
"""Thousands of servers choose the same hour, so each has a moment of its own within this time."""

_TOO_LATE: Final = timedelta(hours=3)
"""After a longer downtime, the post of a day is left out."""

_TIME_SHIFT: Final = 22
"""How far the time in an id of Discord is shifted."""

_ASK_AGAIN_AFTER: Final = timedelta(minutes=1)
"""The wait while the bot is connecting and does not know its servers."""

_ROWS: Final = 5
_EDITIONS: Final = 2
"""How many past editions may be the last whose results everyone may see: unfinished attempts seal the very last."""

_FIRST_DAY: Final = date(1970, 1, 1)


class Stopped(StrEnum):
    """Why a server has no daily post any more."""

    DELETED = "deleted"
    FORBIDDEN = "forbidden"


_STOP_TEXTS: Final = {
    Stopped.DELETED: N_("⚠️ The daily post has ended, because its channel was deleted."),
    Stopped.FORBIDDEN: N_(
        "⚠️ The daily post has ended, because I may not write in {channel}. Allow that, and choose the channel again."
    ),
}


daily_posts = rowless_table(
    "daily_posts",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    # The newest day with a post, in the server's time zone: days since 1970-01-01.
    Column("posted_on", Integer, nullable=False),
    # Why the post was switched off, and for which channel; NULL after another choice.
    Column("stopped", Text),
    Column("channel_id", BigInteger),
)

_OF_SERVER: Final = daily_posts.c.guild_id == bindparam("server")
_INSERT: Final = insert(daily_posts).returning(daily_posts.c.guild_id)
_CLAIM: Final = (
    update(daily_posts)
    .where(_OF_SERVER, daily_posts.c.posted_on < bindparam("day", type_=Integer))
    .values(posted_on=bindparam("day", type_=Integer))
)
_NOTE: Final = update(daily_posts).where(_OF_SERVER).values(stopped=bindparam("why"), channel_id=bindparam("channel"))
_SELECT: Final = select(daily_posts).where(_OF_SERVER)


@dataclass(frozen=True, slots=True)
class PostPlan:
    """Where and when a server has its daily post."""

    guild_id: int
    channel_id: int
    hour: int
    zone: str
    role_id: int | None

    @classmethod
    def of(cls, guild_id: int, chosen: Chosen) -> "PostPlan | None":
        """Return the plan that a server has chosen; None without one."""
        channels: frozenset[int] = chosen.get(DAILY_CHANNEL)
        roles: frozenset[int] = chosen.get(DAILY_ROLE)
        hour, zone = chosen.get(DAILY_HOUR), chosen.get(DAILY_ZONE)
        return next((cls(guild_id, channel_id, hour, zone, next(iter(roles), None)) for channel_id in channels), None)

    @property
    def delay(self) -> timedelta:
        """The time from the full hour to the post of this server."""
        # The time of an id in milliseconds is as good as random.
        return timedelta(seconds=(self.guild_id >> _TIME_SHIFT) % int(_SPREAD.total_seconds()))

    def following(self, now: datetime) -> datetime:
        """Return when the next post after a moment is due."""
        return next_hour(now - self.delay, self.hour, self.zone) + self.delay

    def day_of(self, due_at: datetime) -> int:
        """Return the day of a post in the time zone of the server: days since 1970-01-01."""
        return (due_at.astimezone(load_zone_or_utc(self.zone)).date() - _FIRST_DAY).days


def claim_day(connection: Connection, guild_id: int, day: int) -> bool:
    """Note the post of a day; return False if that day, or a later one, has had its post."""
    if try_insert(connection, _INSERT, {"guild_id": guild_id, "posted_on": day, "stopped": None, "channel_id": None}):
        return True
    return connection.execute(_CLAIM, {"server": guild_id, "day": day}).rowcount > 0


def note_stop(connection: Connection, guild_id: int, why: Stopped | None, channel_id: int | None) -> None:
    """Store why the posts in a channel were switched off, or (None) that they were not."""
    connection.execute(_NOTE, {"server": guild_id, "why": None if why is None else why.value, "channel": channel_id})


def find_stop(connection: Connection, guild_id: int) -> tuple[Stopped, int] | None:
    """Return why the posts of a server were switched off, and in which channel they were."""
    row = connection.execute(_SELECT, {"server": guild_id}).one_or_none()
    return None if row is None or row.stopped is None else (Stopped(row.stopped), row.channel_id)


class DailyPosts:
    """Plans and sends the daily posts of servers."""

    def __init__(
        self,
        db: Database,
        settings: SettingsCache,
        challenges: ChallengeService,
        puzzles: PuzzleService,
        *,
        games: Mapping[str, AnyPackage],
        message_client: MessageClient,
        pictures: PictureAttacher,
        moderator_log: ModeratorLog,
        find_server: Callable[[int], discord.Guild | None],
        find_membership: Callable[[int], bool | None],
    ) -> None:
        self._db = db
        self._settings = settings
        self._challenges = challenges
        self._puzzles = puzzles
        self._games = games
        self._message_client = message_client
        self._pictures = pictures
        self._moderator_log = moderator_log
        self._find_server = find_server
        self._find_membership = find_membership

    def plan(self, connection: Connection, guild_id: int, chosen: Chosen) -> None:
        """Store the job of a server whose choices about the daily post were saved, or delete it. A hook of settings."""
        plan = PostPlan.of(guild_id, chosen)
        if plan is None:
            job_storage.remove(connection, DAILY_POST, [str(guild_id)])
        else:
            due_at = plan.following(self._challenges.now)
            job_storage.put(connection, Job(DAILY_POST, str(guild_id), due_at, guild_id=guild_id))
            note_stop(connection, guild_id, None, None)

    async def run(self, job: Job) -> datetime | None:
        """Send the post of a server that is due, and return when the next one is. Handles a job."""
        guild_id, now = int(job.key), self._challenges.now
        plan = PostPlan.of(guild_id, await self._settings.reload(guild_id))
        if plan is None:
            return None
        is_member = self._find_membership(guild_id)
        if is_member is None:
            return now + _ASK_AGAIN_AFTER
        # The job itself may have been put off while the bot was connecting.
        due_at = plan.following(now - _TOO_LATE)
        if is_member and due_at <= now:
            content = await self.render(plan)
            if content is not None and await self._db.maintain(claim_day, guild_id, plan.day_of(due_at)):
                await self._send(plan, content)
        return plan.following(now)

    async def warn(self, interaction: Interaction, chosen: Chosen) -> str:
        """Return why a server has no post, or soon none, although it has chosen one; or an empty text."""
        server = interaction.guild
        if server is None:
            return ""
        plan = PostPlan.of(server.id, chosen)
        if plan is None:
            stop = await self._db.read(find_stop, server.id)
            return "" if stop is None else _describe_stop(*stop)
        for channel in await fetch_channels(server) or ():
            if channel.id == plan.channel_id and (missing := missing_for_posts(channel.permissions_for(server.me))):
                return _("⚠️ In that channel I lack **{permissions}**.").format(permissions=join_items(missing))
        return ""

    async def render(self, plan: PostPlan) -> MessageContent | None:
        """Render the post of a server; None if none of its games is on there."""
        today = day_of(self._challenges.now)
        games_off = (await self._settings.get(plan.guild_id)).get(GAMES)
        games = {key: package for key, package in self._games.items() if key not in games_off}
        edition = edition_on(Cadence.DAILY, today)
        menu = await self._challenges.menu(0, plan.guild_id)
        puzzle = await self._puzzle(games)
        choices = choices_of(menu, today, games, puzzle)
        if not choices:
            return None
        lines, buttons = list[str](), list[Button]()
        if (package := games.get(edition.game)) is not None:
            past = await self._last_edition(edition)
            board = None
            if past is not None:
                _page, board = await self._challenges.board(BoardKey(past, plan.guild_id), 0, 1)
                lines += _board_lines(past, board, package)
            play = challenge_button(_("Play"), ChallengeButton.TODAY, edition, discord.ButtonStyle.success)
            buttons.append(play)
            if past is not None and board is not None and board.total:
                # Translators: The leaderboard.
                buttons.append(challenge_button(_("Board"), ChallengeButton.SERVER, past))
        lines += _today_lines(menu, choices)
        if puzzle is not None:
            buttons.insert(1, Button(_("Puzzle"), str(DailyPuzzleId(DailyPuzzleButton.SHOW, today))))
        embed = discord.Embed(title=_("Today"), description="\n".join(lines).strip(), colour=SEAT_COLOURS[0])
        make_picture = partial(draw_menu, tuple(choices), choices[0])
        return MessageContent(embed.to_dict(), drop_empty_rows(tuple(buttons)), (), make_picture)

    async def _puzzle(self, games: Mapping[str, AnyPackage]) -> Choice | None:
        """Return the choice of today's puzzle; None without puzzles, and if its game is off."""
        today = day_of(self._challenges.now)
        try:
            puzzle = await self._puzzles.daily(today)
        except Refusal:
            return None
        package = games.get(puzzle.game)
        return None if package is None else puzzle_choice(package, today, None)

    async def _last_edition(self, edition: Edition) -> Edition | None:
        """Return the last edition before one whose results everyone may see."""
        for _again in range(_EDITIONS):
            edition = edition.previous
            shared = await self._challenges.seed(edition)
            if shared is not None and shared.published_at is not None:
                return edition
        return None

    async def _send(self, plan: PostPlan, content: MessageContent) -> None:
        location = Location(plan.guild_id, plan.channel_id)
        server = self._find_server(plan.guild_id)
        is_role_known = plan.role_id is not None and server is not None and server.get_role(plan.role_id) is not None
        role_id = plan.role_id if is_role_known else None

        async def send(each: MessageContent) -> None:
            request = post_request(plan.channel_id, each, role_id)
            await self._message_client.send_with_retries(request, Urgency.REMINDER)

        content = replace(await self._pictures.attach(content, location), late_picture=None)
        try:
            await send_with_fallback(content, send, partial(self._pictures.note_refusal, location))
        except (*NETWORK_ERRORS, DeliveryFailed) as fault:
            await self._note_fault(plan, fault)

    async def _note_fault(self, plan: PostPlan, refusal: Exception) -> None:
        """Switch the post of a server off if Discord has refused it for good; otherwise only this day has none.

        A refusal without a code of Discord's own, such as a proxy's, says nothing of a channel.
        """
        is_about_channel = isinstance(refusal, discord.Forbidden | discord.NotFound) and refusal.code != 0
        fault = classify_error(refusal) if is_about_channel else refusal
        if not isinstance(fault, ChannelUnreachable):
            log.info("the daily post of server %s was not sent: %s", plan.guild_id, fault)
            return
        log.info("the daily post of server %s is switched off: %s", plan.guild_id, fault)
        bot_id = self._message_client.bot_id
        author = None if bot_id is None else SettingsAuthor(bot_id, self._challenges.now)
        await self._settings.change(plan.guild_id, DAILY_CHANNEL, lambda chosen: chosen - {plan.channel_id}, author)
        why = Stopped.DELETED if isinstance(fault, ChannelDeleted) else Stopped.FORBIDDEN
        await self._db.maintain(note_stop, plan.guild_id, why, plan.channel_id)
        self._moderator_log.note(plan.guild_id, partial(_describe_stop, why, plan.channel_id))


def _describe_stop(why: Stopped, channel_id: int) -> str:
    """Return why a server has no daily post any more."""
    return _(_STOP_TEXTS[why]).format(channel=f"<#{channel_id}>")


def _board_lines(edition: Edition, board: Board, package: AnyPackage) -> Iterator[str]:
    """Yield the results of an edition in a server, the best first."""
    day = write_date(start_of_day(edition.day), "long")
    yield _("**{name}, {day}**").format(name=_(NAMES[edition.cadence]), day=day)
    if not board.rows:
        yield _("No one played here.")
    for row in board.rows[:_ROWS]:
        score = package.results.score_kind.format_score(row.score)
        yield f"{place_label(row.place)} {escape_name(row.name)} · {score}"
    if (more := board.total - len(board.rows[:_ROWS])) > 0:
        yield ngettext("and {count} more player", "and {count} more players", more).format(count=format_number(more))
    yield ""


def _today_lines(menu: Menu, choices: Sequence[Choice]) -> Iterator[str]:
    """Yield what there is to play today."""
    for choice in choices:
        yield _("**{name}** · {state}").format(name=choice.name, state=choice.state)
    if menu.server is not None:
        yield server_streak_line(menu.server.current, menu.server.longest)
