"""The one dispatcher for buttons: every click is answered, whatever its id says."""

import contextlib
from collections.abc import Awaitable, Mapping
from functools import partial
from typing import Any, cast

import discord

from bot.observability.trace import concerning
from bot.rules.refusals import Refusal
from bot.rules.screen import Control, Play, Toggle
from bot.tables.actions.lobby import require_turn
from bot.tables.actions.seats import SeatWish, agreeing, coming_back, taking_back
from bot.tables.model import Person, Status, TableId
from bot.tables.ports import StoreUnavailable
from bot.tables.refusals import HostReason, Stale
from bot.tables.runtime.host import Host
from bot.tables.table import Table
from bot.ui.custom_id_parser import parse_id
from bot.ui.custom_ids import (
    AgainId,
    CancelId,
    CheckId,
    ChoiceId,
    ComponentId,
    ControlId,
    GuideId,
    HandId,
    HistoryId,
    InHandId,
    InviteId,
    LobbyAction,
    LobbyId,
    LookId,
    MenuId,
    NextId,
    OpenId,
    OptionPageId,
    OptionsId,
    PutAsideId,
    ReadId,
    ReplayId,
    ResumeId,
    SeatAction,
    SeatId,
    StandingsId,
    StillPlayingId,
)
from bot.ui.delivery.table_messages import DiscordBoard
from bot.ui.drafts import Drafts
from bot.ui.features.closing import close_or_agree
from bot.ui.features.dice_proof import check_dice
from bot.ui.features.guides import guide_embed
from bot.ui.features.hands import Hands
from bot.ui.features.idle_tables import SilentTables
from bot.ui.features.invitations import InvitationDesk
from bot.ui.features.options import OptionPanels
from bot.ui.features.readings import Readers
from bot.ui.features.replays import Replays
from bot.ui.features.results import Scorebook
from bot.ui.features.seats import Seats
from bot.ui.interactions.callback_client import Postman
from bot.ui.interactions.context import person_of, require_permissions
from bot.ui.interactions.double_clicks import goes_on_at, repeats
from bot.ui.interactions.ephemeral_messages import Kind, Whispers
from bot.ui.interactions.put_aside_offer import with_offer
from bot.ui.interactions.responses import Apologies, acknowledge, promptly, whisper
from bot.ui.interactions.table_responses import Answers
from bot.ui.render.links import jump_link
from bot.ui.render.menus import chosen_value
from bot.ui.render.screen_cache import screen_of
from bot.words import gettext as _

Click = discord.Interaction[Any]

PRESSED = (discord.InteractionType.component, discord.InteractionType.modal_submit)
"""What is answered here: clicks and forms."""


class Clicks:
    """Turns clicks into moves and wishes, and shows what came of them."""

    def __init__(
        self,
        host: Host,
        board: DiscordBoard,
        drafts: Drafts,
        postman: Postman,
        *,
        seats: Seats,
        silent_tables: SilentTables,
        hands: Hands,
        invitations: InvitationDesk,
        readers: Readers,
        replays: Replays,
        scorebook: Scorebook,
        whispers: Whispers,
        apologies: Apologies,
    ) -> None:
        self._host = host
        self._answers = Answers(host, board, postman)
        self._drafts = drafts
        self._seats = seats
        self._silent_tables = silent_tables
        self._hands = hands
        self._invitations = invitations
        self._options = OptionPanels(host, whispers)
        self._readers = readers
        self._replays = replays
        self._scorebook = scorebook
        self._whispers = whispers
        self._apologies = apologies

    async def on_interaction(self, click: Click) -> None:
        """Answer a click, and a form, which is a forged one; other interactions are not ours."""
        if click.type not in PRESSED:
            return
        try:
            await promptly(click, self._dispatch(click))
        except Exception as fault:  # noqa: BLE001 - whatever went wrong, the person who clicked gets an answer
            await self._apologies.answer(click, fault)

    async def _dispatch(self, click: Click) -> None:
        await self._press(click, parse_id(_custom_id(click)))

    async def _catch_up(self, click: Click, look: LookId) -> None:
        """Bring the message up to date in which somebody looks at a table; if that fails they are told all the same."""
        with contextlib.suppress(Refusal, StoreUnavailable):
            table = await self._table_here(click, look.table_id, revision=look.revision)
            await self._answers.catch_up(click, table, look.revision)

    async def _press(self, click: Click, pressed: ComponentId) -> None:
        match pressed:
            case ControlId() | MenuId():
                await self._control(click, _chosen(click, pressed))
            case HandId() | InHandId():
                await self._hand(click, pressed)
            case LobbyId():
                await self._lobby(click, pressed)
            case OptionsId() | OptionPageId() | ChoiceId():
                await self._option(click, pressed)
            case AgainId() | NextId() | OpenId() | PutAsideId() | ResumeId() | StillPlayingId():
                await self._go_on(click, pressed)
            case SeatId():
                await self._seat(click, pressed)
            case CancelId() | InviteId():
                await self._answer(click, pressed)
            case LookId():
                await self._catch_up(click, pressed)
                await self._press(click, pressed.pressed)
            case GuideId() | CheckId() | ReadId() | ReplayId() | StandingsId() | HistoryId():
                await self._tell(click, pressed)

    async def _control(self, click: Click, pressed: ControlId) -> None:
        table = await self._table_here(click, pressed.table_id, pressed.step)
        person = person_of(click)
        try:
            control = self._pressed(table, person, pressed)
            match control.effect:
                case Toggle() as toggle:
                    self._drafts.toggle(table, toggle, pressed.draft)
                    self._host.service.hear(table.id)
                    await self._answers.show_draft(click, table)
                case Play(move):
                    await self._host.service.play(table.id, person, pressed.step, move, click.id)
                    await self._answers.show(click, table)
        except Stale:
            await self._answers.show(click, table)

    def _pressed(self, table: Table, person: Person, pressed: ControlId) -> Control:
        """Find the control that a click means now; raises Stale when the screen does not offer it any more."""
        require_turn(table, person, pressed.step)
        control = screen_of(table, self._drafts.of(table, pressed.draft)).control(pressed.key)
        if control is None:
            raise Stale(table.id)
        return control

    async def _hand(self, click: Click, pressed: HandId | InHandId) -> None:
        if isinstance(pressed, HandId):
            await self._hands.show(click, await self._table_here(click, pressed.table_id))
            return
        control = pressed.pressed
        if isinstance(control, HandId):
            await self._hands.show_again(click, await self._table_here(click, control.table_id))
        else:
            table = await self._table_here(click, control.table_id, control.step)
            await self._hands.press(click, table, _chosen(click, control))

    async def _lobby(self, click: Click, pressed: LobbyId) -> None:
        table = await self._table_here(click, pressed.table_id)
        person = person_of(click)
        if click.message is not None:
            self._host.service.note_seen(table, click.message.id)
        try:
            await self._wish(click, pressed, person)
        except Stale:
            pass
        except Refusal as refusal:
            if not repeats(refusal.reason, pressed, await self._host.service.table(table.id), person):
                raise
        await self._answers.show(click, table)

    def _wish(self, click: Click, pressed: LobbyId, person: Person) -> Awaitable[Table]:
        service = self._host.service
        match pressed.action:
            case LobbyAction.JOIN:
                return service.join(pressed.table_id, person, click.id)
            case LobbyAction.LEAVE:
                return service.leave(pressed.table_id, person)
            case LobbyAction.START:
                return service.start(pressed.table_id, person, click.id)
            case LobbyAction.ADD_COMPUTER:
                return service.add_computer(pressed.table_id, person, pressed.revision)
            case LobbyAction.REMOVE_COMPUTER:
                return service.remove_computer(pressed.table_id, person, pressed.revision)

    async def _option(self, click: Click, pressed: OptionsId | OptionPageId | ChoiceId) -> None:
        table = await self._table_here(click, pressed.table_id)
        match pressed:
            case OptionsId() if table.header.status is not Status.LOBBY:
                # A late click only shows the table as it is now.
                await self._answers.show(click, table)
            case OptionsId():
                await self._options.offer(click, table)
            case OptionPageId():
                await self._options.show(click, table, pressed.page)
            case ChoiceId():
                await self._options.choose(click, table, pressed)

    async def _tell(
        self, click: Click, pressed: GuideId | CheckId | ReadId | ReplayId | StandingsId | HistoryId
    ) -> None:
        """Tell somebody the rules of a game, how a table's dice fell, how it stands or went, or what was played."""
        match pressed:
            case StandingsId() | HistoryId():
                await self._scorebook.turn(click, pressed)
            case ReadId(table_id):
                await self._readers.read(click, await self._table_here(click, table_id))
            case ReplayId():
                await self._replays.turn(click, pressed)
            case CheckId(table_id):
                await check_dice(click, self._host.service, table_id)
            case GuideId(game) if package := self._host.service.games.get(game):
                told = await whisper(click, embed=guide_embed(package))
                self._whispers.renew(click, Kind.GUIDE, (click.channel_id, game), told)
            case _:
                raise Refusal(HostReason.UNKNOWN_BUTTON)

    async def _answer(self, click: Click, pressed: CancelId | InviteId) -> None:
        """Take the answer to a question: whether a game is closed, or whether somebody sits down."""
        table = await self._table_here(click, pressed.table_id)
        if isinstance(pressed, InviteId):
            await self._invitations.press(click, table, pressed)
        else:
            await close_or_agree(click, self._host.service, table)

    async def _play_on(self, click: Click, pressed: AgainId | NextId) -> None:
        require_permissions(click)
        table = await self._table_here(click, pressed.table_id)
        person = person_of(click)
        service = self._host.service
        try:
            await (service.go_on if isinstance(pressed, NextId) else service.play_again)(table.id, person, click.id)
        except Stale:
            pass
        except Refusal as refusal:
            there = refusal.facts.get("table")
            if not (isinstance(there, Table) and goes_on_at(table, there, person)):
                raise with_offer(refusal, pressed) from refusal
            if person.id != there.header.opener_id:
                await whisper(click, _("The next table is open already: {link}").format(link=jump_link(there)))
        await acknowledge(click)

    async def _seat(self, click: Click, pressed: SeatId) -> None:
        table = await self._table_here(click, pressed.table_id, pressed.step)
        match pressed.action:
            case SeatAction.RESIGN:
                await self._seats.resign(click, table)
            case SeatAction.COME_BACK:
                await self._change_seat(click, table, pressed, coming_back)
            case SeatAction.TAKE_BACK:
                await self._change_seat(click, table, pressed, partial(taking_back, step=pressed.step))
            case SeatAction.SUBSTITUTE:
                await self._seats.replace_reminded(click, table, pressed.step)
            case SeatAction.CLOSE:
                await self._change_seat(click, table, pressed, agreeing)

    async def _go_on(
        self, click: Click, pressed: AgainId | NextId | OpenId | PutAsideId | ResumeId | StillPlayingId
    ) -> None:
        """Open another table, or do something about one at which nobody has played for long."""
        match pressed:
            case AgainId() | NextId():
                await self._play_on(click, pressed)
            case OpenId():
                # It only comes with the offer to put a table aside.
                raise Refusal(HostReason.UNKNOWN_BUTTON)
            case PutAsideId():
                await self._make_room(click, pressed)
            case ResumeId(table_id):
                await self._silent_tables.resume(click, (await self._table_here(click, table_id)).id)
            case StillPlayingId(table_id):
                await self._silent_tables.keep_open(click, await self._table_here(click, table_id))

    async def _make_room(self, click: Click, pressed: PutAsideId) -> None:
        """Put a silent table aside where nothing else is in the way of what somebody wants, and do that."""
        try:
            await self._do_wanted(click, pressed.then)
        except Refusal as refusal:
            # What would be refused all the same leaves the table where it is, and so does what is forged.
            if refusal.facts.get("offer") != pressed:
                raise
            await self._silent_tables.put_aside(click, pressed)
            await self._do_wanted(click, pressed.then)
        await self._silent_tables.conclude(click)

    async def _do_wanted(self, click: Click, wanted: OpenId | AgainId | NextId | ResumeId) -> None:
        await (self._silent_tables.open(click, wanted) if isinstance(wanted, OpenId) else self._go_on(click, wanted))

    async def _change_seat(self, click: Click, table: Table, pressed: SeatId, wish: SeatWish) -> None:
        """Grant a wish of the table's own buttons and show the table; a player's late click only shows it."""
        person = person_of(click)
        try:
            await self._host.service.control(table.id, person, wish, click.id)
        except Stale:
            pass
        except Refusal:
            now = await self._host.service.table(table.id)
            if now.seat_of(person.id) is None or now.header.step == pressed.step:
                raise
        await self._answers.show(click, table)

    async def _table_here(self, click: Click, table_id: TableId, step: int = 0, revision: int = 0) -> Table:
        """Return the table, which must stand in the channel of the click."""
        table = await self._host.service.table(table_id, step=step, revision=revision)
        if table.header.place.channel_id != click.channel_id:
            raise Refusal(HostReason.UNKNOWN_TABLE)
        concerning(table.id, table.header.game)
        return table


def _chosen(click: Click, pressed: ControlId | MenuId) -> ControlId:
    """Return the control that was pressed, or chosen in a menu."""
    return pressed.choosing(chosen_value(click)) if isinstance(pressed, MenuId) else pressed


def _custom_id(click: Click) -> str:
    if click.type is not discord.InteractionType.component:
        # Parlour shows no forms, so there is none to be sent.
        return ""
    data = cast("Mapping[str, object]", click.data or {})
    return str(data.get("custom_id", ""))
