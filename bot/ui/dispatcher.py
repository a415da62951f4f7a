"""The one dispatcher for buttons: every click is answered, whatever its id says."""

import contextlib
from collections.abc import Awaitable, Mapping
from functools import partial
from typing import Any, cast

import discord

from bot.observability.trace import set_table
from bot.rules.refusals import Refusal
from bot.rules.screen import Control, Play, Toggle
from bot.tables.actions.guards import require_turn
from bot.tables.actions.seats import SeatAction, agree_to_close, come_back, take_back
from bot.tables.model import Person, Status, TableId
from bot.tables.ports import StoreUnavailable
from bot.tables.refusal_facts import refused_table
from bot.tables.refusals import HostReason, Stale
from bot.tables.runtime.host import Host
from bot.tables.table import Table
from bot.ui.custom_id_parser import parse_id
from bot.ui.custom_ids import (
    CancelTableId,
    CheckDiceId,
    ComponentId,
    ControlId,
    GuideId,
    HandControlId,
    HandId,
    HistoryId,
    InvitationId,
    LeaderboardId,
    LobbyButton,
    LobbyId,
    MenuId,
    NextTableId,
    OpenTableId,
    OptionMenuId,
    OptionPageId,
    OptionPanelId,
    PlayAgainId,
    PutAsideId,
    ReadOnlyId,
    ReadTableId,
    ReplayId,
    ResumeId,
    SeatButton,
    SeatId,
    StillPlayingId,
)
from bot.ui.delivery.table_messages import DiscordTableMessages
from bot.ui.drafts import Drafts
from bot.ui.features.closing import close_or_agree
from bot.ui.features.dice_proof import check_dice
from bot.ui.features.guides import guide_embed
from bot.ui.features.hands import Hands
from bot.ui.features.idle_tables import IdleTableCommands
from bot.ui.features.invitations import InvitationCommands
from bot.ui.features.options import OptionPanels
from bot.ui.features.readings import Readings
from bot.ui.features.replays import Replays
from bot.ui.features.results import ResultsCommands
from bot.ui.features.seats import SeatCommands
from bot.ui.interactions.callback_client import CallbackClient
from bot.ui.interactions.context import person_of, require_permissions
from bot.ui.interactions.double_clicks import has_seat_in_next_lobby, is_double_click
from bot.ui.interactions.ephemeral_messages import EphemeralKind, EphemeralMessages
from bot.ui.interactions.error_replies import ErrorReplies
from bot.ui.interactions.put_aside_offer import RefusalWithOffer, with_put_aside_offer
from bot.ui.interactions.responses import acknowledge, defer_if_slow, send_ephemeral
from bot.ui.interactions.table_responses import TableResponses
from bot.ui.render.links import table_link
from bot.ui.render.menus import chosen_value
from bot.ui.render.screen_cache import screen_of
from bot.words import gettext as _

Interaction = discord.Interaction[Any]

CLICK_TYPES = (discord.InteractionType.component, discord.InteractionType.modal_submit)
"""What is answered here: clicks and forms."""


class Dispatcher:
    """Turns clicks into moves and wishes, and shows what came of them."""

    def __init__(
        self,
        host: Host,
        table_messages: DiscordTableMessages,
        drafts: Drafts,
        callback_client: CallbackClient,
        *,
        seats: SeatCommands,
        idle_table_commands: IdleTableCommands,
        hands: Hands,
        invitations: InvitationCommands,
        readings: Readings,
        replays: Replays,
        results_commands: ResultsCommands,
        ephemeral_messages: EphemeralMessages,
        error_replies: ErrorReplies,
    ) -> None:
        self._host = host
        self._table_responses = TableResponses(host, table_messages, callback_client)
        self._drafts = drafts
        self._seats = seats
        self._idle_tables = idle_table_commands
        self._hands = hands
        self._invitations = invitations
        self._option_panels = OptionPanels(host, ephemeral_messages)
        self._readings = readings
        self._replays = replays
        self._results = results_commands
        self._ephemeral_messages = ephemeral_messages
        self._error_replies = error_replies

    async def on_interaction(self, click: Interaction) -> None:
        """Answer a click, and a form, which is a forged one; other interactions are not ours."""
        if click.type not in CLICK_TYPES:
            return
        try:
            await defer_if_slow(click, self._dispatch(click))
        except Exception as fault:  # noqa: BLE001 - whatever went wrong, the person who clicked gets an answer
            await self._error_replies.send(click, fault)

    async def _dispatch(self, click: Interaction) -> None:
        await self._handle(click, parse_id(_custom_id(click)))

    async def _refresh_outdated(self, click: Interaction, look: ReadOnlyId) -> None:
        """Bring the message up to date in which somebody looks at a table; if that fails they are told all the same."""
        with contextlib.suppress(Refusal, StoreUnavailable):
            table = await self._table_here(click, look.table_id, revision=look.revision)
            await self._table_responses.refresh_if_outdated(click, table, look.revision)

    async def _handle(self, click: Interaction, pressed: ComponentId) -> None:
        match pressed:
            case ControlId() | MenuId():
                await self._handle_control(click, _control_id_of(click, pressed))
            case HandId() | HandControlId():
                await self._handle_hand(click, pressed)
            case LobbyId():
                await self._handle_lobby(click, pressed)
            case OptionPanelId() | OptionPageId() | OptionMenuId():
                await self._handle_options(click, pressed)
            case PlayAgainId() | NextTableId() | OpenTableId() | PutAsideId() | ResumeId() | StillPlayingId():
                await self._handle_table_request(click, pressed)
            case SeatId():
                await self._handle_seat(click, pressed)
            case CancelTableId() | InvitationId():
                await self._handle_confirmation(click, pressed)
            case ReadOnlyId():
                await self._refresh_outdated(click, pressed)
                await self._handle(click, pressed.pressed)
            case GuideId() | CheckDiceId() | ReadTableId() | ReplayId() | LeaderboardId() | HistoryId():
                await self._show_information(click, pressed)

    async def _handle_control(self, click: Interaction, pressed: ControlId) -> None:
        table = await self._table_here(click, pressed.table_id, pressed.step)
        person = person_of(click)
        try:
            match self._find_control(table, person, pressed).effect:
                case Toggle() as toggle:
                    require_turn(table, person, pressed.step)
                    self._drafts.toggle(table, toggle, pressed.draft)
                    self._host.service.touch(table.id)
                    await self._table_responses.show_buttons(click, table)
                case Play(move):
                    with self._host.publisher.claim(table.id):
                        table = await self._host.service.play(table.id, person, pressed.step, move, click.id)
                        await self._table_responses.show(click, table)
        except Stale:
            await self._table_responses.show(click, table)

    def _find_control(self, table: Table, person: Person, pressed: ControlId) -> Control:
        """Find the control that a click means now; raises Stale when the screen does not offer it any more."""
        if table.header.status is Status.PLAYING and table.header.step == pressed.step:
            control = screen_of(table, self._drafts.of(table, pressed.draft)).find_control(pressed.key)
            if control is not None:
                return control
        require_turn(table, person, pressed.step)
        raise Stale(table.id)

    async def _handle_hand(self, click: Interaction, pressed: HandId | HandControlId) -> None:
        if isinstance(pressed, HandId):
            await self._hands.show(click, await self._table_here(click, pressed.table_id))
            return
        control = pressed.pressed
        if isinstance(control, HandId):
            await self._hands.refresh(click, await self._table_here(click, control.table_id))
        else:
            table = await self._table_here(click, control.table_id, control.step)
            await self._hands.press(click, table, _control_id_of(click, control))

    async def _handle_lobby(self, click: Interaction, pressed: LobbyId) -> None:
        table = await self._table_here(click, pressed.table_id)
        person = person_of(click)
        if click.message is not None:
            self._host.service.note_message(table, click.message.id)
        with self._host.publisher.claim(table.id):
            try:
                await self._apply_lobby_button(click, pressed, person)
            except Stale:
                pass
            except Refusal as refusal:
                if not is_double_click(refusal.reason, pressed, await self._host.service.table(table.id), person):
                    raise
            await self._table_responses.show(click, table)

    def _apply_lobby_button(self, click: Interaction, pressed: LobbyId, person: Person) -> Awaitable[Table]:
        service = self._host.service
        match pressed.button:
            case LobbyButton.JOIN:
                return service.join(pressed.table_id, person, click.id)
            case LobbyButton.LEAVE:
                return service.leave(pressed.table_id, person)
            case LobbyButton.START:
                return service.start(pressed.table_id, person, click.id)
            case LobbyButton.ADD_COMPUTER:
                return service.add_computer(pressed.table_id, person, pressed.revision)
            case LobbyButton.REMOVE_COMPUTER:
                return service.remove_computer(pressed.table_id, person, pressed.revision)

    async def _handle_options(self, click: Interaction, pressed: OptionPanelId | OptionPageId | OptionMenuId) -> None:
        table = await self._table_here(click, pressed.table_id)
        match pressed:
            case OptionPanelId() if table.header.status is not Status.LOBBY:
                # A late click only shows the table as it is now.
                await self._table_responses.show(click, table)
            case OptionPanelId():
                await self._option_panels.open_panel(click, table)
            case OptionPageId():
                await self._option_panels.show(click, table, pressed.page)
            case OptionMenuId():
                await self._option_panels.choose(click, table, pressed)

    async def _show_information(
        self, click: Interaction, pressed: GuideId | CheckDiceId | ReadTableId | ReplayId | LeaderboardId | HistoryId
    ) -> None:
        """Tell somebody the rules of a game, how a table's dice fell, how it stands or went, or what was played."""
        match pressed:
            case LeaderboardId() | HistoryId():
                await self._results.show_page(click, pressed)
            case ReadTableId(table_id):
                await self._readings.read(click, await self._table_here(click, table_id))
            case ReplayId():
                await self._replays.go_to_step(click, pressed)
            case CheckDiceId(table_id):
                await check_dice(click, self._host.service, table_id)
            case GuideId(game) if package := self._host.service.games.get(game):
                told = await send_ephemeral(click, embed=guide_embed(package))
                self._ephemeral_messages.replace_previous(click, EphemeralKind.GUIDE, (click.channel_id, game), told)
            case _:
                raise Refusal(HostReason.UNKNOWN_BUTTON)

    async def _handle_confirmation(self, click: Interaction, pressed: CancelTableId | InvitationId) -> None:
        """Take the answer to a question: whether a game is closed, or whether somebody sits down."""
        table = await self._table_here(click, pressed.table_id)
        if isinstance(pressed, InvitationId):
            await self._invitations.press(click, table, pressed)
        else:
            await close_or_agree(click, self._host.service, table)

    async def _open_next_table(self, click: Interaction, pressed: PlayAgainId | NextTableId) -> None:
        require_permissions(click)
        table = await self._table_here(click, pressed.table_id)
        person = person_of(click)
        service = self._host.service
        try:
            await (service.continue_series if isinstance(pressed, NextTableId) else service.play_again)(
                table.id, person, click.id
            )
        except Stale:
            pass
        except Refusal as refusal:
            there = refused_table(refusal)
            if there is None or not has_seat_in_next_lobby(table, there, person):
                raise with_put_aside_offer(refusal, pressed) from refusal
            if person.id != there.header.opener_id:
                await send_ephemeral(click, _("The next table is already open: {link}").format(link=table_link(there)))
        await acknowledge(click)

    async def _handle_seat(self, click: Interaction, pressed: SeatId) -> None:
        table = await self._table_here(click, pressed.table_id, pressed.step)
        match pressed.button:
            case SeatButton.RESIGN:
                await self._seats.resign(click, table)
            case SeatButton.COME_BACK:
                await self._change_seat(click, table, pressed, come_back)
            case SeatButton.TAKE_BACK:
                await self._change_seat(click, table, pressed, partial(take_back, step=pressed.step))
            case SeatButton.SUBSTITUTE:
                await self._seats.substitute_from_reminder(click, table, pressed.step)
            case SeatButton.CLOSE:
                await self._change_seat(click, table, pressed, agree_to_close)

    async def _handle_table_request(
        self,
        click: Interaction,
        pressed: PlayAgainId | NextTableId | OpenTableId | PutAsideId | ResumeId | StillPlayingId,
    ) -> None:
        """Open another table, or do something about one at which nobody has played for long."""
        match pressed:
            case PlayAgainId() | NextTableId():
                await self._open_next_table(click, pressed)
            case OpenTableId():
                # It only comes with the offer to put a table aside.
                raise Refusal(HostReason.UNKNOWN_BUTTON)
            case PutAsideId():
                await self._put_aside_then(click, pressed)
            case ResumeId(table_id):
                await self._idle_tables.resume(click, (await self._table_here(click, table_id)).id)
            case StillPlayingId(table_id):
                await self._idle_tables.keep_open(click, await self._table_here(click, table_id))

    async def _put_aside_then(self, click: Interaction, pressed: PutAsideId) -> None:
        """Put a silent table aside where nothing else is in the way of what somebody wants, and do that."""
        try:
            await self._do_requested(click, pressed.then)
        except Refusal as refusal:
            # What would be refused all the same leaves the table where it is, and so does what is forged.
            if not isinstance(refusal, RefusalWithOffer) or refusal.offer != pressed:
                raise
            await self._idle_tables.put_aside(click, pressed)
            await self._do_requested(click, pressed.then)
        await self._idle_tables.confirm_put_aside(click)

    async def _do_requested(
        self, click: Interaction, wanted: OpenTableId | PlayAgainId | NextTableId | ResumeId
    ) -> None:
        await (
            self._idle_tables.open(click, wanted)
            if isinstance(wanted, OpenTableId)
            else self._handle_table_request(click, wanted)
        )

    async def _change_seat(self, click: Interaction, table: Table, pressed: SeatId, wish: SeatAction) -> None:
        """Grant a wish of the table's own buttons and show the table; a player's late click only shows it."""
        person = person_of(click)
        try:
            await self._host.service.apply_seat_action(table.id, person, wish, click.id)
        except Stale:
            pass
        except Refusal:
            now = await self._host.service.table(table.id)
            if now.seat_of(person.id) is None or now.header.step == pressed.step:
                raise
        await self._table_responses.show(click, table)

    async def _table_here(self, click: Interaction, table_id: TableId, step: int = 0, revision: int = 0) -> Table:
        """Return the table, which must stand in the channel of the click."""
        table = await self._host.service.table(table_id, step=step, revision=revision)
        if table.header.place.channel_id != click.channel_id:
            raise Refusal(HostReason.UNKNOWN_TABLE)
        set_table(table.id, table.header.game)
        return table


def _control_id_of(click: Interaction, pressed: ControlId | MenuId) -> ControlId:
    """Return the control that was pressed, or chosen in a menu."""
    return pressed.control_id(chosen_value(click)) if isinstance(pressed, MenuId) else pressed


def _custom_id(click: Interaction) -> str:
    if click.type is not discord.InteractionType.component:
        # Parlour shows no forms, so there is none to be sent.
        return ""
    data = cast("Mapping[str, object]", click.data or {})
    return str(data.get("custom_id", ""))
