"""Lets organizers run tournaments: more time, decisions, and the end."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from cachetools import TTLCache
from discord.utils import format_dt

from bot.features.settings.posts import DAILY_ZONE
from bot.features.settings.service import ServerRules
from bot.features.tournaments.access import TournamentAccess
from bot.features.tournaments.director import Director
from bot.features.tournaments.messages import TournamentButton
from bot.features.tournaments.model import (
    ROUND_HOURS,
    CancelledBy,
    Grounds,
    Pairing,
    Stage,
    Tournament,
    TournamentId,
    TournamentReason,
)
from bot.features.tournaments.notices import rescheduled_text
from bot.features.tournaments.organizer_messages import (
    MOST_LISTED,
    OPTIONS_PER_PAGE,
    DecisionId,
    DecisionStep,
    GameOptionId,
    GameOptionsPageId,
    MoreTimeId,
    OrganizerId,
    PickGameId,
    describe_verdict,
    may_decide,
    offered_options,
    render_cancel_question,
    render_decision,
    render_decision_question,
    render_options,
    render_organizing,
)
from bot.features.tournaments.service import TournamentService
from bot.features.tournaments.start_times import parse_start
from bot.features.tournaments.words import name_of
from bot.platform.discord.answers import Interaction, deferred_if_slow, finish, send_ephemeral
from bot.platform.discord.menus import chosen_value
from bot.platform.discord.private_messages import edit_or_send_ephemeral
from bot.platform.discord.refusals import ClickReason
from bot.rules.options import load_options, set_option
from bot.rules.refusals import Refusal
from bot.tables.model import HostChoice
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage
from bot.tables.shown.links import escape_name
from bot.tables.shown.words import find_game
from bot.words import N_, format_number, gettext as _

RESCHEDULE_SECONDS: Final = 20.0
"""The time before a start can be moved again."""

_MOST_RESCHEDULED: Final = 1024


class Organizers:
    """Carries out what organizers do; everyone else is refused."""

    def __init__(
        self,
        access: TournamentAccess,
        service: TournamentService,
        director: Director,
        rules: ServerRules,
        games: Mapping[str, AnyPackage],
        clock: Callable[[], datetime],
    ) -> None:
        self._rules = rules
        self._games = games
        self._clock = clock
        self._rescheduled: TTLCache[TournamentId, bool] = TTLCache(_MOST_RESCHEDULED, RESCHEDULE_SECONDS)
        """The tournaments whose start was moved just now: every move is a message in up to two channels."""
        self._access = access
        self._service = service
        self._director = director

    @deferred_if_slow
    async def reschedule(self, command: Interaction, starts: str | None, number: int | None) -> None:
        """Move the start of a tournament, or leave it to the organizers."""
        tournament = await self._access.find(command, number, stage=Stage.JOINING)
        await self._access.require_organizer(command, tournament)
        if tournament.id in self._rescheduled:
            raise Refusal(ClickReason.TOO_QUICK)
        zone = (await self._rules.settings_of(command)).get(DAILY_ZONE)
        starts_at = None if starts is None else parse_start(starts, self._clock(), zone)
        before, after = await self._service.reschedule(tournament.id, starts_at)
        try:
            name = escape_name(name_of(after, self._games))
            text = _("**{name}** has no start time any more. Press *Start* when enough have joined.").format(name=name)
            if after.starts_at is not None:
                when = format_dt(after.starts_at)
                text = _("**{name}** now starts {when}.").format(name=name, when=when)
            await send_ephemeral(command, text)
            await self._access.show(after.id)
        finally:
            if after != before:
                self._rescheduled[after.id] = True
                line, when = N_("{who} removed the start time of the tournament {name}."), ""
                if after.starts_at is not None:
                    line = N_("{who} moved the start of the tournament {name} to {when}.")
                    when = format_dt(after.starts_at)
                describe = self._access.note(command, after, line, when=when)
                await self._access.tell_players(command, after, describe, (), in_channel=True)
                await self._director.announce_change(after, partial(rescheduled_text, after, self._games))

    async def press_button(self, click: Interaction, tournament: Tournament, button: TournamentButton) -> None:
        """Carry out an organizer's action, or ask for confirmation."""
        await self._access.require_organizer(click, tournament)
        match button:
            case TournamentButton.ASK_TO_CANCEL:
                if not tournament.stage.is_open:
                    raise Refusal(TournamentReason.OVER)
                await edit_or_send_ephemeral(click, render_cancel_question(tournament, self._games))
            case TournamentButton.CANCEL:
                await self._cancel(click, tournament)
            case TournamentButton.OPTIONS:
                await self._show_options(click, tournament, 1)
            case _:
                await self._show(click, tournament.id)

    async def press(self, click: Interaction, pressed: OrganizerId) -> None:
        """Give more time, or show, ask about or make a decision."""
        tournament = await self._access.load(click, pressed.tournament)
        await self._access.require_organizer(click, tournament)
        if isinstance(pressed, GameOptionsPageId):
            await self._show_options(click, tournament, pressed.page)
            return
        if isinstance(pressed, GameOptionId):
            await self._choose_option(click, tournament, pressed.option)
            return
        if tournament.stage is not Stage.RUNNING:
            raise Refusal(TournamentReason.NOT_RUNNING)
        match pressed:
            case MoreTimeId():
                await self._extend(click, tournament, pressed)
            case PickGameId() if pairing := _find_pairing(tournament, pressed.round, chosen_value(click)):
                tables = await self._service.tables(tournament.id)
                movers = await self._director.has_moved(pairing, tables)
                await edit_or_send_ephemeral(click, render_decision(tournament, pairing, movers))
            case DecisionId() if not may_decide(tournament, pressed.verdict):
                raise Refusal(ClickReason.UNKNOWN_BUTTON)
            case DecisionId() if pairing := _find_pairing(tournament, pressed.round, str(pressed.board)):
                if pressed.decision_step is DecisionStep.ASK:
                    await edit_or_send_ephemeral(click, render_decision_question(tournament, pairing, pressed.verdict))
                else:
                    await self._decide(click, tournament, pairing, pressed)
            case _:
                # The game was played or decided meanwhile.
                await self._show(click, tournament.id)

    async def _cancel(self, click: Interaction, tournament: Tournament) -> None:
        """Cancel a tournament."""
        by = CancelledBy.MODERATOR if await self._rules.may_moderate(click) else CancelledBy.ORGANIZER
        if click.user.id == tournament.opener.id:
            by = CancelledBy.OPENER
        before, after = await self._service.cancel(tournament.id, by)
        try:
            await finish(click, _("{name} is cancelled.").format(name=escape_name(name_of(after, self._games))))
            await self._access.show(after.id)
        finally:
            if after != before:
                line = self._access.note(click, after, N_("{who} cancelled the tournament {name}."))
                await self._access.tell_players(click, after, line, before.in_play, in_channel=True)

    async def _show_options(self, click: Interaction, tournament: Tournament, page: int) -> None:
        """Show a page of the game's options."""
        await self._require_choosable(tournament)
        await edit_or_send_ephemeral(click, render_options(tournament, self._package(tournament), page))

    async def _choose_option(self, click: Interaction, tournament: Tournament, option: str) -> None:
        """Choose the value of an option for all games."""
        package, value = self._package(tournament), chosen_value(click)
        offered, model = offered_options(package), package.game.info.options
        if option not in offered:
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        await self._require_choosable(tournament)
        try:
            chosen = await self._service.choose_options(
                tournament.id, lambda text: set_option(load_options(model, text), option, value).model_dump_json()
            )
        except ValueError:
            raise Refusal(ClickReason.UNKNOWN_BUTTON) from None
        await self._show_options(click, chosen, offered.index(option) // OPTIONS_PER_PAGE + 1)
        await self._access.show(tournament.id)

    async def _require_choosable(self, tournament: Tournament) -> None:
        """Refuse after the start, and if the server has fixed the options of games."""
        if tournament.stage is not Stage.JOINING:
            raise Refusal(TournamentReason.HAS_STARTED)
        if HostChoice.OPTIONS in await self._rules.find_fixed(tournament.location):
            raise Refusal(HostReason.FIXED_BY_SERVER)

    def _package(self, tournament: Tournament) -> AnyPackage:
        return find_game(self._games, tournament.game)

    async def _extend(self, click: Interaction, tournament: Tournament, menu: MoreTimeId) -> None:
        """Give the round more time."""
        chosen = chosen_value(click)
        if chosen not in map(str, ROUND_HOURS):
            raise Refusal(ClickReason.UNKNOWN_BUTTON)
        shown = (menu.round, menu.period)
        before, after = await self._service.extend(tournament.id, shown, timedelta(hours=int(chosen)))
        try:
            await self._show(click, tournament.id)
        finally:
            if after != before and after.due_at is not None:
                text = N_("{who} gave round {number} of the tournament {name} time until {when}.")
                when = format_dt(after.due_at)
                line = self._access.note(click, after, text, number=partial(format_number, after.round), when=when)
                await self._access.tell_players(click, after, line, after.in_play)

    async def _decide(self, click: Interaction, tournament: Tournament, pairing: Pairing, pressed: DecisionId) -> None:
        """Decide a game."""
        place = (pairing.round, pairing.board)
        before, after = await self._service.decide(tournament.id, place, pressed.verdict)
        decided = next(each for each in after.pairings if (each.round, each.board) == place)
        try:
            await self._show(click, tournament.id)
        finally:
            if decided.grounds is Grounds.WALKOVER and decided not in before.pairings:
                text = N_("{who} decided a game of the tournament {name}: {outcome}.")
                line = self._access.note(click, after, text, outcome=partial(describe_verdict, after, decided))
                await self._access.tell_players(click, after, line, [decided])

    async def _show(self, click: Interaction, tournament_id: TournamentId) -> None:
        """Show an organizer the possible actions, and update the public message."""
        tournament, tables = await self._service.load(tournament_id), await self._service.tables(tournament_id)
        if tournament.stage is not Stage.RUNNING:
            raise Refusal(TournamentReason.NOT_RUNNING)
        listed = tournament.in_play[:MOST_LISTED]
        moved = {pairing: await self._director.has_moved(pairing, tables) for pairing in listed}
        await edit_or_send_ephemeral(click, render_organizing(tournament, moved, self._games))
        await self._access.show(tournament_id)


def _find_pairing(tournament: Tournament, number: int, board: str) -> Pairing | None:
    """Return an unfinished pairing of the present round; None for any other."""
    return next((each for each in tournament.in_play if (each.round, str(each.board)) == (number, board)), None)
