"""The command `/tournament`, and clicks on tournaments' buttons."""

from collections.abc import Callable, Collection, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Final

import discord
from discord import Member, User, app_commands
from discord.ext import commands

from bot.features.settings.posts import DAILY_ZONE
from bot.features.settings.service import ServerRules
from bot.features.tournaments.access import TournamentAccess, require_playing, require_server
from bot.features.tournaments.director import Director
from bot.features.tournaments.messages import (
    TournamentButton,
    TournamentComponentId,
    TournamentGamesId,
    TournamentPageId,
    render_games,
    render_list,
    render_tournament,
    render_withdraw_question,
)
from bot.features.tournaments.model import LEAST_PLAYERS, ROUND_HOURS, Format, Stage, Tournament, TournamentReason
from bot.features.tournaments.organizer_messages import render_start_question
from bot.features.tournaments.organizing import Organizers
from bot.features.tournaments.picture import illustrate
from bot.features.tournaments.replacing import Replacements
from bot.features.tournaments.service import TournamentService
from bot.features.tournaments.start_times import parse_start, suggest_starts
from bot.features.tournaments.words import FORMAT_NAMES, format_minutes, format_round_time, name_of
from bot.graphemes import whole_letters
from bot.platform.discord.answers import (
    Interaction,
    acknowledge,
    deferred_if_slow,
    finish,
    is_ephemeral,
    send_ephemeral,
    speaking_to_everyone,
)
from bot.platform.discord.channels import CHANNELS_WITH_THREADS, missing_for_threads
from bot.platform.discord.client import ParlourInteraction
from bot.platform.discord.command_texts import in_each_language
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import location_of, person_of, require_permissions
from bot.platform.discord.hand_over import acknowledge_first
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.discord.private_messages import (
    attach_picture_if_possible,
    edit_or_send_ephemeral,
    send_ephemeral_content,
)
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.refusals import GameFacts
from bot.tables.registry import AnyPackage
from bot.tables.series import single_game
from bot.tables.shown.links import clean_line, escape_name, message_link
from bot.tables.shown.words import find_game, suggest_games
from bot.words import N_, gettext as _, join_items

_CHECK_INS = (10, 15, 30, 60)
"""Choices in minutes."""
_USUAL_HOURS = 72
_FORMATS: list[app_commands.Choice[str]] = [
    app_commands.Choice(name=_(FORMAT_NAMES[kind]), value=kind.value) for kind in Format
]
_TIMES: list[app_commands.Choice[int]] = [
    app_commands.Choice(name=in_each_language(partial(format_round_time, hours)), value=hours) for hours in ROUND_HOURS
]

Number = app_commands.Range[int, 1, 999_999_999]
MAX_NAME: Final = 60
MAX_START: Final = 40


class Tournaments:
    """Opens and shows tournaments, and lets people take part."""

    def __init__(
        self,
        access: TournamentAccess,
        organizers: Organizers,
        service: TournamentService,
        director: Director,
        games: Mapping[str, AnyPackage],
        rules: ServerRules,
        pictures: PictureAttacher,
        clock: Callable[[], datetime],
    ) -> None:
        self._access = access
        self._organizers = organizers
        self._service = service
        self._director = director
        self._games = games
        self._rules = rules
        self._pictures = pictures
        self._clock = clock

    @deferred_if_slow
    async def open(
        self,
        command: Interaction,
        game: str,
        name: str | None,
        kind: Format | None,
        hours: int,
        *,
        starts: str | None = None,
        check_in: int = 0,
    ) -> None:
        """Open a tournament in this channel.

        Args:
            command: The command.
            game: The game's key or title.
            name: Its title; None for its usual name.
            kind: Its format; None if the number of players decides.
            hours: The duration of a round.
            starts: When it starts by itself, as chosen or typed; None if an organizer starts it.
            check_in: For how many minutes before the start players check in; 0 without a check-in.
        """
        require_server(command)
        location, now = location_of(command), self._clock()
        starts_at = None if starts is None else parse_start(starts, now, await self._zone_of(command))
        if check_in and (starts_at is None or starts_at <= now + timedelta(minutes=check_in)):
            raise Refusal(TournamentReason.CHECK_IN_TOO_LONG)
        require_permissions(command)
        info = find_game(self._games, game).game.info
        may_organize = await self._rules.may_organize(command)
        if name is not None and not may_organize:
            raise Refusal(TournamentReason.MAY_NOT_NAME)
        await self._rules.require_may_open(command, info.key)
        if info.most_seats < 2:
            raise Refusal(TournamentReason.ONE_SEAT, GameFacts(_(info.title)))
        usual = await self._rules.complete_options(command, info.key, {})
        options = single_game(self._games[info.key], usual)
        new = Tournament(
            0,
            whole_letters(clean_line(name or ""), MAX_NAME),
            info.key,
            options.model_dump_json(),
            location,
            person_of(command),
            now,
            hours,
            kind,
            is_by_organizer=may_organize,
            starts_at=starts_at,
            check_in_minutes=check_in,
        )
        async with self._rules.pacing(command):
            # Discord takes only one response, so the response decides which process opens the tournament.
            if not await acknowledge_first(command):
                return
            opened = await self._service.open(new)
        self._access.note(command, opened, N_("{who} opened the tournament {name}."))
        await self._access.show(opened.id)
        opened = await self._service.load(opened.id)
        link = message_link(location, opened.message_id)
        lines = [_("Your tournament is open: {link}").format(link=link), *_thread_notes(command)]
        await send_ephemeral(command, "\n".join(lines))

    async def suggest_starts(self, command: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        """Suggest start times."""
        return suggest_starts(typed, self._clock(), await self._zone_of(command))

    async def _zone_of(self, command: Interaction) -> str:
        zone: str = (await self._rules.settings_of(command)).get(DAILY_ZONE)
        return zone

    @deferred_if_slow
    async def show_one(self, command: Interaction, number: int | None) -> None:
        """Show a tournament's standings."""
        tournament = await self._access.find(command, number)
        await send_ephemeral_content(command, await self._render(tournament))
        if tournament.stage.is_open:
            await self._access.show(tournament.id, again=True)

    @deferred_if_slow
    async def list_all(self, command: Interaction) -> None:
        """Show the tournaments of the server."""
        found = await self._access.visible(command)
        await send_ephemeral_content(command, render_list(found, self._games))

    @deferred_if_slow
    async def withdraw(
        self, command: Interaction, number: int | None, member: discord.Member | discord.User | None
    ) -> None:
        """Let the user leave a tournament after a confirmation, or an organizer take someone out."""
        tournament = await self._access.find(command, number, player_id=(member or command.user).id)
        if member is None or member.id == command.user.id:
            require_playing(tournament, command.user.id, TournamentReason.NOT_IN_IT)
            await send_ephemeral_content(command, render_withdraw_question(tournament, self._games))
            return
        await self._access.require_organizer(command, tournament)
        if tournament.stage is not Stage.JOINING:
            require_playing(tournament, member.id, TournamentReason.THEY_ARE_NOT_IN_IT)
        await self._service.take_out(tournament.id, Person(member.id, member.display_name), command.id)
        self._access.note(
            command, tournament, N_("{who} took {other} out of the tournament {name}."), other=f"<@{member.id}>"
        )
        text = _("{name} no longer plays in {tournament}.")
        names = {"name": escape_name(member.display_name), "tournament": escape_name(name_of(tournament, self._games))}
        await send_ephemeral(command, text.format(**names))
        await self._access.show(tournament.id)

    @deferred_if_slow
    async def readmit(self, command: Interaction, member: discord.Member | discord.User, number: int | None) -> None:
        """Let someone join again who was taken out before the start."""
        tournament = await self._access.find(command, number, stage=Stage.JOINING)
        await self._access.require_organizer(command, tournament)
        await self._service.readmit(tournament.id, member.id)
        line = N_("{who} let {other} join the tournament {name} again.")
        self._access.note(command, tournament, line, other=f"<@{member.id}>")
        text = _("{name} can join {tournament} again.")
        names = {"name": escape_name(member.display_name), "tournament": escape_name(name_of(tournament, self._games))}
        await send_ephemeral(command, text.format(**names))

    async def press(self, click: Interaction, pressed: TournamentComponentId) -> None:
        """Apply a click."""
        tournament = await self._access.load(click, pressed.tournament)
        if isinstance(pressed, TournamentPageId):
            await edit_or_send_ephemeral(click, await self._render(tournament, pressed.page))
            return
        if isinstance(pressed, TournamentGamesId):
            await edit_or_send_ephemeral(click, await self._render_games(tournament, pressed.page))
            return
        match pressed.button:
            case TournamentButton.JOIN:
                await self._show_changed(click, await self._service.join(tournament.id, person_of(click), click.id))
            case TournamentButton.LEAVE:
                await self._show_changed(click, await self._service.leave(tournament.id, click.user.id))
            case TournamentButton.CHECK_IN:
                await self._service.check_in(tournament.id, click.user.id)
                name = escape_name(name_of(tournament, self._games))
                await finish(click, _("You have checked in for {name}.").format(name=name))
                await self._access.show(tournament.id)
            case TournamentButton.START | TournamentButton.START_WITHOUT:
                await self._access.require_organizer(click, tournament)
                leaves_out = LEAST_PLAYERS <= len(tournament.drawn) < len(tournament.players)
                if leaves_out and pressed.button is TournamentButton.START:
                    await edit_or_send_ephemeral(click, render_start_question(tournament, self._games))
                    return
                before, after = await self._service.start(tournament.id)
                await self._show_changed(click, after)
                with speaking_to_everyone(click):
                    await self._director.tell_started(before, after)
            case TournamentButton.WHOLE:
                await self._show_whole(click, tournament)
            case TournamentButton.WITHDRAW:
                require_playing(tournament, click.user.id, TournamentReason.NOT_IN_IT)
                await self._service.withdraw(tournament.id, click.user.id)
                name = escape_name(name_of(tournament, self._games))
                await finish(click, _("You no longer play in {name}.").format(name=name))
                await self._access.show(tournament.id)
            case _:
                await self._organizers.press_button(click, tournament, pressed.button)

    async def _render_games(self, tournament: Tournament, page: int | None = None) -> MessageContent:
        if not tournament.round:
            raise Refusal(TournamentReason.NOT_RUNNING)
        return render_games(tournament, await self._service.tables(tournament.id), self._games, page)

    async def _show_whole(self, click: Interaction, tournament: Tournament) -> None:
        """Show the picture with all players and rounds."""
        games = await self._render_games(tournament)
        content = illustrate(games, tournament, self._games, is_whole=True)
        await send_ephemeral_content(click, await attach_picture_if_possible(click, content, self._pictures))

    async def _show_changed(self, click: Interaction, changed: Tournament) -> None:
        """Show a tournament that a click has changed, where the click was and in its channel."""
        if is_ephemeral(click):
            await edit_or_send_ephemeral(click, await self._render(changed))
        else:
            await acknowledge(click)
        await self._access.show(changed.id)

    async def _render(self, tournament: Tournament, page: int = 1) -> MessageContent:
        tables = await self._service.tables(tournament.id)
        return render_tournament(tournament, tables, self._games, number=page)


def _thread_notes(command: Interaction) -> list[str]:
    """Return the permissions that the bot lacks to give each game a thread."""
    if getattr(command.channel, "type", None) not in CHANNELS_WITH_THREADS:
        return [_("Games can't have threads of their own here, so they are played one after another.")]
    missing = missing_for_threads(command.app_permissions)
    if not missing:
        return []
    text = _(
        "To open a thread for each game, I need **{permissions}** here. Without it, games are played one after another."
    )
    return [text.format(permissions=join_items(missing))]


def _list_durations(choices: Collection[int]) -> list[app_commands.Choice[int]]:
    return [
        app_commands.Choice(name=in_each_language(partial(format_minutes, minutes)), value=minutes)
        for minutes in choices
    ]


class TournamentsCog(commands.GroupCog, group_name="tournament", group_description=_("Tournaments in this server")):
    """`/tournament`."""

    @app_commands.command(name="new", description=_("Open a tournament in this channel"))
    @app_commands.describe(
        game=_("Which game"),
        name=_("What the tournament is called"),
        format=_("How players are paired; by their number if left out"),
        deadline=_("How long a round lasts; three days if left out"),
        starts=_("When it starts by itself, such as 2026-12-31 20:00; if left out, you start it"),
        checkin=_("How long before the start players say that they are here"),
    )
    @app_commands.choices(format=_FORMATS)
    @app_commands.choices(deadline=_TIMES)
    @app_commands.choices(checkin=_list_durations(_CHECK_INS))
    async def new(
        self,
        command: ParlourInteraction,
        game: app_commands.Range[str, 1, 40],
        name: app_commands.Range[str, 1, MAX_NAME] | None = None,
        format: str | None = None,  # noqa: A002 - it is the name of the option
        deadline: int = _USUAL_HOURS,
        starts: app_commands.Range[str, 1, MAX_START] | None = None,
        checkin: int = 0,
    ) -> None:
        """Open a tournament."""
        kind = None if format is None else Format(format)
        tournaments = command.client.app.service(Tournaments)
        await tournaments.open(command, game, name, kind, deadline, starts=starts, check_in=checkin)

    @new.autocomplete("game")
    async def suggest(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest games by their titles."""
        games = await command.client.app.service(ServerRules).games_on(command)
        found = {key: package for key, package in games.items() if package.game.info.most_seats > 1}
        return suggest_games(found, current)

    @app_commands.command(name="reschedule", description=_("As an organizer, change when a tournament starts"))
    @app_commands.describe(
        starts=_("When it starts by itself, such as 2026-12-31 20:00; if left out, an organizer starts it"),
        number=_("Its number; the newest one here if left out"),
    )
    async def reschedule(
        self,
        command: ParlourInteraction,
        starts: app_commands.Range[str, 1, MAX_START] | None = None,
        number: Number | None = None,
    ) -> None:
        """Move the start, or leave it to the organizers."""
        await command.client.app.service(Organizers).reschedule(command, starts, number)

    @new.autocomplete("starts")
    @reschedule.autocomplete("starts")
    async def suggest_start(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest start times."""
        return await command.client.app.service(Tournaments).suggest_starts(command, current)

    @app_commands.command(name="show", description=_("See how a tournament stands, and who plays whom"))
    @app_commands.describe(number=_("Its number; the newest one here if left out"))
    async def show(self, command: ParlourInteraction, number: Number | None = None) -> None:
        """Show a tournament."""
        await command.client.app.service(Tournaments).show_one(command, number)

    @app_commands.command(name="list", description=_("See the tournaments of this server"))
    async def list_all(self, command: ParlourInteraction) -> None:
        """List the tournaments."""
        await command.client.app.service(Tournaments).list_all(command)

    @app_commands.command(name="withdraw", description=_("Leave a tournament for good"))
    @app_commands.describe(
        number=_("Its number; the one you play in here if left out"),
        member=_("Who to withdraw, if you organize it; yourself if left out"),
    )
    async def withdraw(
        self, command: ParlourInteraction, number: Number | None = None, member: Member | User | None = None
    ) -> None:
        """Leave a tournament, or take someone out."""
        await command.client.app.service(Tournaments).withdraw(command, number, member)

    @app_commands.command(name="readmit", description=_("As an organizer, let a person join again who was taken out"))
    @app_commands.describe(
        member=_("Who may join again"),
        number=_("Its number; the newest one here if left out"),
    )
    async def readmit(self, command: ParlourInteraction, member: Member | User, number: Number | None = None) -> None:
        """Let someone join again who was taken out before the start."""
        await command.client.app.service(Tournaments).readmit(command, member, number)

    @app_commands.command(name="replace", description=_("As an organizer, offer a player's place to another member"))
    @app_commands.describe(
        member=_("The player who can't go on"),
        by=_("Who is asked to take the place"),
        number=_("Its number; the one with that player here if left out"),
    )
    async def replace(
        self, command: ParlourInteraction, member: Member | User, by: Member | User, number: Number | None = None
    ) -> None:
        """Offer a player's place to another member."""
        await command.client.app.service(Replacements).offer(command, member, by, number)
