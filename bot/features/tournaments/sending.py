"""Posts and edits the messages of tournaments, and opens the threads of their games."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import discord
from cachetools import LRUCache, TTLCache
from discord.abc import GuildChannel
from discord.utils import format_dt, snowflake_time

from bot.features.tournaments.messages import (
    TakePlaceId,
    TournamentButton,
    check_in_button,
    render_tournament,
    tournament_button,
)
from bot.features.tournaments.model import PairedTables, Pairing, Player, Tournament, UserId
from bot.features.tournaments.notices import call_text
from bot.features.tournaments.picture import illustrate
from bot.features.tournaments.words import name_of, plain_player_name, player_name
from bot.languages import speaking
from bot.platform.discord.channels import (
    MAX_THREAD_NAME,
    ThreadRefused,
    all_may_read,
    create_thread,
    missing_for_threads,
)
from bot.platform.discord.content import Button, Json, MessageContent
from bot.platform.discord.errors import ChannelDeleted, ChannelUnreachable, DeliveryFailed
from bot.platform.discord.http import (
    NETWORK_ERRORS,
    MessageClient,
    Request,
    build_attachments_json,
    classify_error,
    delete_request,
    edit_request,
    id_of,
    is_retryable,
    post_request,
    reading,
    words_request,
)
from bot.platform.discord.languages import Languages
from bot.platform.discord.picture_attachments import PictureAttacher, send_with_fallback
from bot.platform.discord.rate_limits import Urgency
from bot.platform.places import Location
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import escape_name, sanitize_name, shorten_names
from bot.words import format_number, gettext as _, join_items, truncate

log = logging.getLogger(__name__)

_REQUEST_SECONDS: Final = 10.0
_MAX_REFUSED: Final = 1000
_REFUSED_SECONDS: Final = 3600.0
_MAX_REMEMBERED: Final = 1024


class DiscordTournamentMessages:
    """Posts tournaments' messages with the bot's token."""

    def __init__(
        self,
        message_client: MessageClient,
        games: Mapping[str, AnyPackage],
        pictures: PictureAttacher,
        languages: Languages,
    ) -> None:
        self.languages = languages
        self._message_client = message_client
        self._games = games
        self._pictures = pictures
        self._pictured: LRUCache[int, int] = LRUCache(_MAX_REMEMBERED)
        """By message, the hash of its picture and alternative text, so that edits upload only what has changed."""
        self._refused: TTLCache[int, str] = TTLCache(_MAX_REFUSED, _REFUSED_SECONDS)
        """By channel, why Discord refuses threads; after a while, threads are tried again."""

    async def show(self, tournament: Tournament, tables: PairedTables, why_no_threads: str) -> int:
        """Edit a tournament's message, or post one if it has none; return its id."""
        words = render_tournament(tournament, tables, self._games, why_no_threads)
        content = await self._with_picture(words, tournament, tournament.location)
        channel_id, message_id = tournament.location.channel_id, tournament.message_id
        if message_id is None:
            post = partial(post_request, channel_id)
            return await self._send_content(post, content, tournament.location, Urgency.POST)
        if content.picture is not None and self._pictured.get(message_id) == hash(content.picture):
            await self._send(words_request(channel_id, message_id, content, has_new_buttons=True), Urgency.EDIT)
            return message_id
        edit = partial(edit_request, channel_id, message_id)
        return await self._send_content(edit, content, tournament.location, Urgency.EDIT)

    async def remove(self, location: Location, message_id: int) -> None:
        """Delete a message; failures are only logged."""
        try:
            await self._message_client.send_with_retries(
                delete_request(location.channel_id, message_id), Urgency.DELETION
            )
        except NETWORK_ERRORS as fault:
            log.info("message %s could not be deleted: %s", message_id, fault)

    async def why_no_threads(self, tournament: Tournament) -> str:
        """Return a sentence that says why games get no threads; empty if they do, or if unknown."""
        channel_id = tournament.location.channel_id
        try:
            if missing := _missing_for_threads(await self._text_channel(tournament)):
                return _("I lack permissions for a thread for each game: **{missing}**.").format(missing=missing)
            return _(self._refused.get(channel_id, ""))
        except DeliveryFailed as fault:
            log.info("what threads in channel %s need is not known for now: %s", channel_id, fault)
            return ""

    async def open_thread(self, tournament: Tournament, pairing: Pairing) -> int | None:
        """Return a pairing's thread, opening it if needed; None if there can be none."""
        channel = await self._text_channel(tournament)
        if channel is None or _missing_for_threads(channel) or channel.id in self._refused:
            return None
        names, taken = self._thread_names(tournament, pairing), {each.thread_id for each in tournament.pairings}
        try:
            # The bot may have opened the thread just before it was stopped.
            for thread in await _active_threads(channel.guild):
                is_own = thread.owner_id == self._message_client.bot_id and thread.parent_id == channel.id
                is_new = snowflake_time(thread.id) >= tournament.opened_at and thread.id not in taken
                if is_own and is_new and thread.name in names:
                    return thread.id
            thread = await create_thread(channel, thread_name(tournament, pairing, self._games))
        except ThreadRefused as refusal:
            self._refused[channel.id] = str(refusal)
            return None
        except NETWORK_ERRORS as fault:
            raise classify_error(fault) from fault
        for user_id in pairing.people:
            # A player may have left the server.
            with contextlib.suppress(*NETWORK_ERRORS), reading():
                async with asyncio.timeout(_REQUEST_SECONDS):
                    await thread.add_user(discord.Object(user_id))
        return thread.id

    def _thread_names(self, tournament: Tournament, pairing: Pairing) -> Collection[str]:
        """Return the names of a pairing's thread in all languages: the server may have changed its own meanwhile."""
        names, catalogues = set[str](), self.languages.catalogues
        for code in catalogues.codes:
            with speaking(catalogues.find(code)):
                names.add(thread_name(tournament, pairing, self._games))
        return names

    async def is_gone(self, channel_id: int) -> bool:
        """Return whether a thread was deleted."""
        try:
            await self._fetch_channel(channel_id)
        except ChannelDeleted:
            return True
        except ChannelUnreachable:
            return False
        return False

    async def greet(self, tournament: Tournament, pairing: Pairing, channel_id: int) -> None:
        """Tell the players of a pairing where they play, and until when."""
        lines = [
            _("{players}: your game in **{name}**, round {number} of {rounds}.").format(
                players=_mention(pairing.people),
                name=escape_name(name_of(tournament, self._games)),
                number=format_number(pairing.round),
                rounds=format_number(tournament.rounds),
            )
        ]
        if pairing.attempt > 1:
            lines.append(_("The last game was a draw, so play again, with the seats swapped."))
        starter = plain_player_name(tournament, pairing.people[0])
        lines.append(_("{name} presses *Start* at the table.").format(name=escape_name(starter)))
        if tournament.due_at is not None:
            lines.append(_("Please finish it by {when}.").format(when=format_dt(tournament.due_at)))
        await self._post(channel_id, "\n".join(lines), pairing.people)

    async def offer(self, tournament: Tournament, organizer_id: UserId, player_id: UserId, guest_id: UserId) -> None:
        """Ask a member to take a player's place."""
        text = _(
            "{guest}: {organizer} offers you the place of {player} in **{name}**, with its results so far. A computer "
            "player finishes a game that has begun."
        )
        text = text.format(
            guest=_mention([guest_id]),
            organizer=_mention([organizer_id]),
            player=player_name(tournament, player_id),
            name=escape_name(name_of(tournament, self._games)),
        )
        take = Button(_("Take the place"), str(TakePlaceId(tournament.id, player_id)), discord.ButtonStyle.success)
        await self._post(tournament.location.channel_id, text, [guest_id], take)

    async def tell_replaced(self, tournament: Tournament, player_id: UserId, guest_id: UserId) -> None:
        """Tell both people, where the present game is, that one plays in the place of the other."""
        threads = (pairing.thread_id for pairing in tournament.in_play if guest_id in pairing.people)
        text = _("{player}: {guest} plays in your place in **{name}** from now on.")
        text = text.format(
            player=_mention([player_id]), guest=_mention([guest_id]), name=escape_name(name_of(tournament, self._games))
        )
        channel_id = next(threads, None) or tournament.location.channel_id
        await self._post(channel_id, text, [player_id, guest_id])
        for pairing in tournament.in_play:
            if guest_id in pairing.people and pairing.thread_id is not None:
                await self._admit(tournament, pairing, pairing.thread_id, guest_id)

    async def _admit(self, tournament: Tournament, pairing: Pairing, thread_id: int, guest_id: UserId) -> None:
        """Add a new player to the thread of a pairing, and name the thread after those who play now."""
        thread = await self._fetch_channel(thread_id)
        if isinstance(thread, discord.Thread):
            name = thread_name(tournament, pairing, self._games)
            for change in (lambda: thread.add_user(discord.Object(guest_id)), lambda: thread.edit(name=name)):
                # Discord allows few changes of a name.
                with contextlib.suppress(*NETWORK_ERRORS, TimeoutError), reading():
                    async with asyncio.timeout(_REQUEST_SECONDS):
                        await change()

    async def remind(self, tournament: Tournament, pairing: Pairing, late: Collection[Player]) -> None:
        """Remind players of a pairing who have not played that half the time has passed."""
        people = [player.user_id for player in late]
        text = _("{players}: half the time of this round is over, and your game waits for you.")
        text = text.format(players=_mention(people))
        if tournament.due_at is not None:
            text += " " + _("The round ends {when}.").format(when=format_dt(tournament.due_at, "R"))
        await self._post(pairing.thread_id or tournament.location.channel_id, text, people)

    async def ask(self, tournament: Tournament) -> None:
        """Ask the opener to decide the pairings whose time is up; if the opener is gone, ask the server's managers."""
        # An erased opener has a negative pseudonym, which Discord does not accept.
        opener = [tournament.opener.id] if tournament.opener.id > 0 else []
        text = _("{organizer}: the time of round {number} in **{name}** is up, and not all games are finished.")
        text = text.format(
            organizer=_mention(opener) or _("Moderators"),
            number=format_number(tournament.round),
            name=escape_name(name_of(tournament, self._games)),
        )
        organize = tournament_button(tournament, _("Organize"), TournamentButton.ORGANIZE)
        await self._post(tournament.location.channel_id, text, opener, organize)

    async def announce(
        self, tournament: Tournament, location: Location, text: str, role_ids: Collection[int] = ()
    ) -> None:
        """Post a text about a tournament that mentions some roles, with the tournament's picture if it has begun."""

        def post(each: MessageContent) -> Request:
            mentions = {"parse": [], "roles": list(map(str, role_ids))}
            attachments = build_attachments_json(each.picture)
            body: Json = {"content": text, "allowed_mentions": mentions, "attachments": attachments}
            return Request("POST", location.channel_id, json=body, picture=each.picture)

        content = await self._with_picture(MessageContent({}), tournament, location)
        await self._send_content(post, content, location, Urgency.REMINDER)

    async def is_readable_by_readers_of(self, tournament: Tournament, channel_id: int) -> bool:
        """Return whether everyone who can read a channel can also read that of a tournament; False if unknown.

        Raises:
            ChannelUnreachable: The bot can't see the channel.
            DeliveryFailed: This is not known for now.
        """
        channel = await self._fetch_channel(channel_id)
        try:
            own = await self._fetch_channel(tournament.location.channel_id)
            if isinstance(own, discord.Thread) and not own.is_private():
                own = await self._fetch_channel(own.parent_id)
        except ChannelUnreachable:
            return False
        return isinstance(channel, GuildChannel) and isinstance(own, GuildChannel) and all_may_read(own, channel)

    async def tell(self, tournament: Tournament, text: str, thread_id: int | None = None) -> None:
        """Post a text that notifies no one, in the channel or in the thread of a game."""
        await self._post(thread_id or tournament.location.channel_id, text, ())

    async def call(self, tournament: Tournament) -> None:
        """Ask the players to check in."""
        people = [player.user_id for player in tournament.players]
        await self._post(
            tournament.location.channel_id, call_text(tournament, self._games), people, check_in_button(tournament)
        )

    async def _post(self, channel_id: int, text: str, people: Collection[UserId], *buttons: Button) -> None:
        """Post a text that notifies some people."""
        body: Json = {"content": text, "allowed_mentions": {"parse": [], "users": [str(user_id) for user_id in people]}}
        if buttons:
            body["components"] = MessageContent({}, (buttons,)).components()
        await self._send(Request("POST", channel_id, json=body), Urgency.REMINDER)

    async def _with_picture(
        self, content: MessageContent, tournament: Tournament, location: Location
    ) -> MessageContent:
        """Return a message with the picture of its tournament, or in words if it has none or can't be drawn in time."""
        content = illustrate(content, tournament, self._games)
        return replace(await self._pictures.attach(content, location), late_picture=None)

    async def _send_content(
        self,
        request: Callable[[MessageContent], Request],
        content: MessageContent,
        location: Location,
        urgency: Urgency,
    ) -> int:
        """Send a message, in words if Discord refuses its picture, and return its id."""

        async def send(each: MessageContent) -> int:
            message_id = id_of(await self._message_client.send_with_retries(request(each), urgency))
            self._pictured[message_id] = hash(each.picture)
            return message_id

        try:
            return await send_with_fallback(content, send, partial(self._pictures.note_refusal, location))
        except NETWORK_ERRORS as fault:
            raise classify_error(fault) from fault

    async def _send(self, request: Request, urgency: Urgency) -> Json:
        try:
            sent: Json = await self._message_client.send_with_retries(request, urgency)
        except NETWORK_ERRORS as fault:
            raise classify_error(fault) from fault
        return sent

    async def _text_channel(self, tournament: Tournament) -> discord.TextChannel | None:
        try:
            channel = await self._fetch_channel(tournament.location.channel_id)
        except ChannelDeleted:
            raise
        except ChannelUnreachable:
            return None
        return channel if isinstance(channel, discord.TextChannel) else None

    async def _fetch_channel(self, channel_id: int) -> object:
        """Return a channel or thread; None before the login, and for an unknown type of channel."""
        if (client := self._message_client.client) is None:
            return None
        try:
            async with asyncio.timeout(_REQUEST_SECONDS):
                with reading():
                    channel = await client.fetch_channel(channel_id)
        except discord.InvalidData:
            # This version of discord.py does not know the type.
            return None
        except (*NETWORK_ERRORS, TimeoutError) as fault:
            raise classify_error(fault) from fault
        if isinstance(channel, GuildChannel | discord.Thread) and channel.guild.me is None:
            raise DeliveryFailed("the roles and permissions of the server are not known yet")
        return channel


def _missing_for_threads(channel: discord.TextChannel | None) -> str:
    return "" if channel is None else join_items(missing_for_threads(channel.permissions_for(channel.guild.me)))


def thread_name(tournament: Tournament, pairing: Pairing, games: Mapping[str, AnyPackage]) -> str:
    """Return the name of a pairing's thread: the tournament, the round, and who plays."""
    names = [player.name for user_id in pairing.people if (player := tournament.player(user_id))]
    text = _("{tournament}, round {round}: {players}").format(
        tournament=sanitize_name(name_of(tournament, games)),
        round=format_number(pairing.round),
        players=join_items([sanitize_name(name) for name in shorten_names(names)]),
    )
    return truncate(text, MAX_THREAD_NAME)


async def _active_threads(guild: discord.Guild) -> Sequence[discord.Thread]:
    """Return a server's threads that are not archived; none if Discord refuses the request."""
    try:
        async with asyncio.timeout(_REQUEST_SECONDS):
            with reading():
                return await guild.active_threads()
    except discord.HTTPException as fault:
        if is_retryable(fault):
            raise
        log.info("Discord refuses to list the threads of server %s: %s", guild.id, fault)
        return ()


def _mention(people: Collection[UserId]) -> str:
    return join_items([f"<@{user_id}>" for user_id in people])
