"""Controls on the message of a table: moves and the tokens picked for them."""

from bot.platform.discord.answers import Interaction
from bot.platform.discord.context import person_of
from bot.platform.places import Person
from bot.rules.screen import Control, Play, Toggle
from bot.tables.handlers.answers import TableResponses
from bot.tables.handlers.ids import ControlId
from bot.tables.handlers.readings import Readings
from bot.tables.host import Host
from bot.tables.model import Status
from bot.tables.refusals import DuplicateInteraction, Stale
from bot.tables.shown.screen import Drafts, screen_of
from bot.tables.table import Table
from bot.tables.turns import require_turn


class TableControls:
    """Makes moves and picks tokens on behalf of clicks."""

    def __init__(self, host: Host, drafts: Drafts, table_responses: TableResponses, readings: Readings) -> None:
        self._host = host
        self._drafts = drafts
        self._table_responses = table_responses
        self._readings = readings

    async def press(self, click: Interaction, table: Table, control_id: ControlId) -> None:
        """Apply a control and show the table; a late or double click only shows it."""
        person = person_of(click)
        try:
            match self._find_control(table, person, control_id).effect:
                case Toggle() as toggle:
                    require_turn(table, person, control_id.step)
                    self._drafts.toggle(table, toggle, control_id.draft)
                    self._host.service.touch(table.id)
                    await self._table_responses.show(click, table, drafted_at=table.header.revision)
                case Play(move):
                    with self._host.publisher.claim(table.id):
                        table = await self._host.service.play(table.id, person, control_id.step, move, click.id)
                        await self._table_responses.show(click, table)
                    self._readings.after_action(click, table)
        except DuplicateInteraction:
            await self._table_responses.leave_to_other_process(click, table.id)
        except Stale:
            await self._table_responses.show(click, table)

    def _find_control(self, table: Table, person: Person, control_id: ControlId) -> Control:
        """Return the control that was clicked.

        Raises:
            Stale: The table no longer offers it.
            Refusal: The person is not to move.
        """
        if table.header.status is Status.PLAYING and table.header.step == control_id.step:
            control = screen_of(table, self._drafts.of(table, control_id.draft)).find_control(control_id.key)
            if control is not None:
                return control
        require_turn(table, person, control_id.step)
        raise Stale(table.id)
