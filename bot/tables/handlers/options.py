"""The panel where the opener of a table chooses its options."""

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, TypeAlias

import discord
from cachetools import LRUCache

from bot.platform.discord.answers import EphemeralMessage, Interaction, finish
from bot.platform.discord.content import MessageContent, drop_empty_rows, page_buttons
from bot.platform.discord.context import person_of
from bot.platform.discord.menus import SelectMenu, SelectOption, chosen_value
from bot.platform.discord.private_messages import (
    EphemeralKind,
    EphemeralMessages,
    edit_or_send_ephemeral,
)
from bot.platform.discord.refusals import ClickReason
from bot.platform.paging import clamp_page
from bot.platform.places import Location, Person
from bot.rules.refusals import Refusal
from bot.tables.clocks import may_have_clock
from bot.tables.handlers.ids import (
    ClockMenuId,
    HintMenuId,
    OptionMenuId,
    OptionPageId,
    OptionPanelId,
    PaceMenuId,
    Switch,
)
from bot.tables.lobby import digest_of_options, has_hints, may_have_pace
from bot.tables.model import HostChoice, Pace, Status, TableId, TurnClock
from bot.tables.refusals import HostReason, Stale
from bot.tables.service import TableService
from bot.tables.shown.embeds import SEAT_COLOURS
from bot.tables.shown.links import table_link
from bot.tables.shown.option_menus import option_menu
from bot.tables.shown.words import CLOCK_LABELS, PACE_LABELS, explain_options
from bot.tables.table import Table
from bot.tables.turns import require_opener
from bot.words import gettext as _

_MAX_ROWS = 5
"""Discord's limit for a message; each menu fills a row."""

_HINTS, _PACE, _CLOCK = "hints", "computer pace", "turn clock"
"""The names of the menus for hints, pace and the turn clock; no option has such a name."""

_MenuId: TypeAlias = OptionMenuId | HintMenuId | PaceMenuId | ClockMenuId

_CHOICES: Final[Mapping[type[_MenuId], HostChoice]] = {
    OptionMenuId: HostChoice.OPTIONS,
    HintMenuId: HostChoice.HINTS,
    PaceMenuId: HostChoice.PACE,
    ClockMenuId: HostChoice.CLOCK,
}

_MAX_PANELS = 500
_LOCKED_REASONS = (HostReason.ALREADY_STARTED, HostReason.TABLE_OVER)

ExplainHints: TypeAlias = Callable[[Table], Awaitable[str]]
"""Returns an explanation of hints and their cost at a table; empty where its server forbids them."""


FindFixed: TypeAlias = Callable[[Location], Awaitable[frozenset[HostChoice]]]
"""Returns what the opener of a table can't choose at a location."""


class OptionPanels:
    """Shows the opener of a table a menu for each option, and applies the choices."""

    def __init__(
        self,
        service: TableService,
        ephemeral_messages: EphemeralMessages,
        explain_hints: ExplainHints,
        find_fixed: FindFixed,
    ) -> None:
        self._find_fixed = find_fixed
        self._service = service
        self._ephemeral_messages = ephemeral_messages
        self._explain_hints = explain_hints
        self._readers: LRUCache[TableId, int] = LRUCache(_MAX_PANELS)
        """The person who has the panel of a table open."""
        service.add_listener(self._on_table_changed)

    def _on_table_changed(self, table: Table) -> None:
        """Delete the panel of a table that has started, was closed or has another opener now."""
        reader_id = self._readers.get(table.id)
        if reader_id is None:
            return
        if table.header.status is not Status.LOBBY or table.header.opener_id != reader_id:
            del self._readers[table.id]
            self._ephemeral_messages.dismiss(reader_id, EphemeralKind.OPTIONS, table.id)

    async def press(self, click: Interaction, table: Table, pressed: OptionPanelId | OptionPageId | _MenuId) -> None:
        """Open the panel, show a page of it, or apply a choice."""
        match pressed:
            case OptionPanelId():
                if table.header.status is Status.LOBBY:
                    require_opener(table, person_of(click))
                self._ephemeral_messages.forget_clicked(click, EphemeralKind.MORE, table.id)
                await self._show(click, table, 1)
            case OptionPageId():
                await self._show(click, table, pressed.page)
            case OptionMenuId() | HintMenuId() | PaceMenuId() | ClockMenuId():
                await self._choose(click, table, pressed)

    async def _note_panel(self, click: Interaction, table_id: TableId, panel: EphemeralMessage) -> None:
        self._readers[table_id] = click.user.id
        self._ephemeral_messages.replace_previous(click, EphemeralKind.OPTIONS, table_id, panel)
        # The game may have started while the panel was being sent.
        self._on_table_changed(await self._service.table(table_id))

    async def _choose(self, click: Interaction, table: Table, menu_id: _MenuId) -> None:
        """Apply a choice and refresh the panel; only refresh an outdated panel."""
        chosen = person_of(click), menu_id, chosen_value(click)
        try:
            await self._apply(table, *chosen)
        except Stale:
            # Perhaps this process's lobby is outdated, because another process has changed it.
            with suppress(Stale):
                await self._apply(await self._service.reload(table.id), *chosen)
        except Refusal as refusal:
            if refusal.reason not in _LOCKED_REASONS:
                raise
        await self._show(click, await self._service.table(table.id), _page_with(table, menu_id))

    async def _apply(self, table: Table, person: Person, menu_id: _MenuId, value: str) -> None:
        if _CHOICES[type(menu_id)] in await self._find_fixed(table.header.location):
            raise Refusal(HostReason.FIXED_BY_SERVER)
        match menu_id:
            case HintMenuId() if value in list(Switch):
                await self._service.allow_hints(table.id, person, allows=value == Switch.ON)
            case PaceMenuId() if value in list(Pace):
                await self._service.choose_pace(table.id, person, Pace(value))
            case ClockMenuId() if value in list(TurnClock):
                await self._service.choose_clock(table.id, person, TurnClock(value))
            case OptionMenuId():
                await self._service.choose_option(table.id, person, menu_id.option, value, menu_id.options_digest)
            case _:
                raise Refusal(ClickReason.UNKNOWN_BUTTON)

    async def _show(self, click: Interaction, table: Table, page: int) -> None:
        """Show a page of the panel in the clicked message, or a note that the options are locked."""
        if table.header.status is not Status.LOBBY:
            locked = _("You can't change the options any more: the game has started, or the table is closed. {link}")
            await finish(click, locked.format(link=table_link(table)))
        elif shown := await edit_or_send_ephemeral(click, await self._render(table, page)):
            await self._note_panel(click, table.id, shown)

    async def _render(self, table: Table, page: int) -> MessageContent:
        fixed = await self._find_fixed(table.header.location)
        return render_panel(table, page, await self._explain_hints(table), fixed)


def _pages(table: Table, fixed: Collection[HostChoice] = ()) -> list[Sequence[str]]:
    """Split the options, hints, pace and clock into pages; several pages need a row for the page buttons."""
    further = {
        _HINTS: has_hints(table.package) and HostChoice.HINTS not in fixed,
        _PACE: may_have_pace(table) and HostChoice.PACE not in fixed,
        _CLOCK: may_have_clock(table) and HostChoice.CLOCK not in fixed,
    }
    options = [] if HostChoice.OPTIONS in fixed else type(table.options).model_fields
    names = [*options, *(name for name, is_offered in further.items() if is_offered)]
    size = _MAX_ROWS if len(names) <= _MAX_ROWS else _MAX_ROWS - 1
    return [names[start : start + size] for start in range(0, len(names), size)]


def _page_with(table: Table, menu_id: _MenuId) -> int:
    """Return the number of the page with a menu."""
    others = {HintMenuId: _HINTS, PaceMenuId: _PACE, ClockMenuId: _CLOCK}
    name = menu_id.option if isinstance(menu_id, OptionMenuId) else others[type(menu_id)]
    return next((number for number, names in enumerate(_pages(table), 1) if name in names), 1)


def render_panel(table: Table, page: int, about_hints: str, fixed: Collection[HostChoice] = ()) -> MessageContent:
    """Render a page of the panel: its menus and the page buttons.

    Args:
        table: The lobby.
        page: The page's number; an invalid number means the nearest page.
        about_hints: The explanation of hints; if it is empty, the opener has no choice about them.
        fixed: What the server has fixed, so that the opener can't choose it.
    """
    pages = _pages(table, fixed) or [()]
    nearest = clamp_page(page, len(pages), 1)
    names = [name for name in pages[nearest.number - 1] if about_hints or name != _HINTS]
    buttons = page_buttons(nearest, lambda number: OptionPageId(table.id, number))
    return MessageContent(
        _panel_embed(table, names, about_hints, are_some_fixed=bool(fixed)),
        drop_empty_rows(buttons),
        tuple(_select_menu(table, name) for name in names),
    )


def _panel_embed(table: Table, names: Sequence[str], about_hints: str, *, are_some_fixed: bool) -> Mapping[str, Any]:
    title = _("{game} · options").format(game=_(table.package.game.info.title))
    lines = [explain_options(type(table.options), [name for name in names if name not in (_HINTS, _PACE, _CLOCK)])]
    if _HINTS in names:
        lines.append(about_hints)
    if _PACE in names:
        lines.append(_("**Pace:** How long you see a turn before a computer player makes the next one."))
    if _CLOCK in names:
        lines.append(_("**Turn clock:** How long a turn may take before the other players decide what happens."))
    if are_some_fixed:
        lines.append(_("The managers of this server have fixed the rest."))
    description = "\n".join(filter(None, lines)) or _("There is nothing to choose here.")
    embed = discord.Embed(title=title, description=description, colour=SEAT_COLOURS[0])
    return embed.set_footer(text=_("Changes apply immediately.")).to_dict()


def _select_menu(table: Table, name: str) -> SelectMenu:
    # A closed menu shows only the chosen value, so the value names the option too.
    if name == _HINTS:
        allows = table.header.allows_hints
        switches = (
            SelectOption(_("Hints: on"), Switch.ON.value, is_chosen=allows),
            SelectOption(_("Hints: off"), Switch.OFF.value, is_chosen=not allows),
        )
        return SelectMenu(_("Hints"), str(HintMenuId(table.id)), switches)
    if name == _PACE:
        paces = tuple(
            SelectOption(_("Pace: {pace}").format(pace=_(label)), pace.value, is_chosen=pace is table.header.pace)
            for pace, label in PACE_LABELS.items()
        )
        return SelectMenu(_("Pace"), str(PaceMenuId(table.id)), paces)
    if name == _CLOCK:
        chosen, line = table.header.clock.limit, _("Turn clock: {time}")
        clocks = tuple(
            SelectOption(line.format(time=_(label)), limit.value, is_chosen=limit is chosen)
            for limit, label in CLOCK_LABELS.items()
        )
        return SelectMenu(_("Turn clock"), str(ClockMenuId(table.id)), clocks)
    return option_menu(table.options, name, OptionMenuId(table.id, digest_of_options(table), name))
