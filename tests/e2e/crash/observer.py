"""Everything shown and acknowledged to people, which must outlive the bot's process."""

import time
from collections import defaultdict
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from bot.features.fairness.handlers import CheckDiceId
from bot.platform.discord.ids import CustomId, parse_id
from bot.rules.screen import Draft, Play, Screen, Toggle
from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import CallbackType, Interaction, InteractionState
from bot.sandbox.model.messages import Message
from bot.sandbox.model.world import Change, MessageChange, Op
from bot.tables.handlers.ids import ControlId, HandControlId, LobbyButton, LobbyId, PlayAgainId, SeatId
from bot.tables.model import Status, TableId
from bot.tables.shown.screen import screen_of
from bot.tables.shown.story import news_for, seat_names
from bot.tables.table import Table

TABLE_BUTTON_IDS = PlayAgainId | CheckDiceId | ControlId | LobbyId | SeatId

ControlLike: TypeAlias = ControlId | HandControlId
"""A control on a table, or in a hand."""

DEFER_SECONDS = 1.2
"""A click that is only acknowledged after so long may have been put off: nothing was said about it yet."""


@dataclass(frozen=True, slots=True)
class ObservedAnswer:
    """A click or a command that was answered, with the id of the button."""

    interaction: Interaction
    component_id: CustomId | None
    seconds: float
    was_offered: bool
    """Whether the button was there, and no memory of an earlier one."""

    @property
    def was_granted(self) -> bool:
        """Whether the answer confirms the requested action."""
        answer = self.interaction
        if answer.state is not InteractionState.RESPONDED:
            return False
        if answer.callback_type is CallbackType.MESSAGE:
            return not answer.ephemeral
        return not answer.replies and not self.is_put_off

    @property
    def is_put_off(self) -> bool:
        """Whether a click may only have been acknowledged so far."""
        answer = self.interaction
        is_open = answer.callback_type not in {CallbackType.MESSAGE, CallbackType.UPDATE}
        return answer.state is InteractionState.RESPONDED and is_open and self.seconds > DEFER_SECONDS


class Observer:
    """Observes every message and every answer."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.answers: list[ObservedAnswer] = []
        self.newest_steps: dict[TableId, int] = defaultdict(int)
        """The newest step of each table that anyone has seen."""
        self.posts: dict[TableId, dict[int, Message]] = defaultdict(dict)
        """The messages in which a table was ever shown."""
        self.first_seen_at: dict[int, float] = {}
        """When each of these messages was first seen."""
        self.button_ids: dict[int, list[str]] = defaultdict(list)
        """The buttons that a message has had."""
        sandbox.world.subscribe(self._on_change)

    async def record_response(
        self, acting: Awaitable[Interaction], pressed: str | None, *, offered: bool
    ) -> ObservedAnswer:
        """Wait for an answer and note it."""
        began = time.monotonic()
        interaction = await acting
        heard = ObservedAnswer(interaction, parse_id(pressed) if pressed else None, time.monotonic() - began, offered)
        self.answers.append(heard)
        return heard

    def undeleted_posts(self, table_id: TableId) -> list[Message]:
        """Return the messages that show a table, or showed it and still exist."""
        return [message for message in self.posts[table_id].values() if not message.deleted]

    def newest_post_at(self, table_id: TableId) -> float:
        """Return when a table's newest message was first seen; 0 where none ever was."""
        newest = max(self.posts[table_id], default=None)
        return 0.0 if newest is None else self.first_seen_at[newest]

    def _on_change(self, change: Change) -> None:
        if not isinstance(change, MessageChange) or change.op is Op.DELETE or change.message.ephemeral_to is not None:
            return
        message = change.message
        for button in message.buttons:
            pressed = parse_id(button.custom_id or "")
            if isinstance(pressed, TABLE_BUTTON_IDS):
                self.posts[pressed.table_id][message.id] = message
                self.first_seen_at.setdefault(message.id, time.monotonic())
                self.button_ids[message.id].append(button.custom_id or "")
            if isinstance(pressed, ControlId):
                self.newest_steps[pressed.table_id] = max(self.newest_steps[pressed.table_id], pressed.step)


def table_ids_in(message: Message) -> set[TableId]:
    """Return the tables that the buttons of a message belong to; there is one at most."""
    found = (parse_id(button.custom_id or "") for button in message.buttons)
    return {pressed.table_id for pressed in found if isinstance(pressed, TABLE_BUTTON_IDS)}


def find_lost(heard: Sequence[ObservedAnswer], tables: Mapping[TableId, Table]) -> list[ObservedAnswer]:
    """Return actions acknowledged since the start of the bot that are not on disk."""
    return [each for at, each in enumerate(heard) if each.was_granted and not _is_saved(each, heard[:at], tables)]


def find_unanswered(heard: Sequence[ObservedAnswer], tables: Mapping[TableId, Table]) -> list[ObservedAnswer]:
    """Return actions that were put off, and then neither done nor refused with a sentence."""
    silent = ((at, each) for at, each in enumerate(heard) if each.is_put_off and not each.interaction.replies)
    return [each for at, each in silent if not _is_saved(each, heard[:at], tables)]


def _is_saved(heard: ObservedAnswer, before: Sequence[ObservedAnswer], tables: Mapping[TableId, Table]) -> bool:
    click = heard.interaction
    match heard.component_id:
        case None:
            return click.original is not None and all(table_id in tables for table_id in table_ids_in(click.original))
        case LobbyId(table_id, _, LobbyButton.JOIN):
            return tables[table_id].seat_of(click.user.id) is not None
        case LobbyId(table_id, _, LobbyButton.START):
            return tables[table_id].header.status is not Status.LOBBY
        case ControlId(table_id, step) | HandControlId(ControlId(table_id, step)) as pressed:
            table = tables[table_id]
            return table.header.step > step or not (heard.was_offered and _is_move(table, pressed, before))
        case _:
            return True


def _is_move(table: Table, pressed: ControlLike, before: Sequence[ObservedAnswer]) -> bool:
    """Tell whether a button at the present step makes a move, which would have led beyond it.

    What was picked before counts, whether the message shows it already or not: a button that stands there still, though
    the newest pick has done away with it, only shows the table as it is.
    """
    effects = (_effect(table, pressed, draft) for draft in _drafts(table, type(pressed), before))
    return all(isinstance(effect, Play) for effect in effects)


def _drafts(table: Table, kind: type[ControlLike], before: Sequence[ObservedAnswer]) -> set[Draft | None]:
    """Return the drafts there may be on a table, or in a hand, after some clicks; None where nothing was picked."""
    drafts: set[Draft | None] = {None}
    for heard in before:
        pressed = heard.component_id
        if isinstance(pressed, kind) and _is_at(table, _control(pressed)):
            after = {_draft_after(table, pressed, draft) for draft in drafts}
            # Without an answer, or with a deferral only, it is unknown whether a pick counts.
            drafts = after if heard.was_granted else drafts | after
    return drafts


def _is_at(table: Table, control: ControlId) -> bool:
    return (control.table_id, control.step) == (table.id, table.header.step)


def _draft_after(table: Table, pressed: ControlLike, draft: Draft | None) -> Draft | None:
    effect = _effect(table, pressed, draft)
    return effect.apply(_current_draft(pressed, draft)) if isinstance(effect, Toggle) else draft


def _effect(table: Table, pressed: ControlLike, draft: Draft | None) -> Play | Toggle | None:
    now = _current_draft(pressed, draft)
    screen = _hand_screen(table, now) if isinstance(pressed, HandControlId) else screen_of(table, now)
    control = screen.find_control(_control(pressed).key) if screen else None
    return control.effect if control else None


def _hand_screen(table: Table, draft: Draft) -> Screen | None:
    """Return the hand as shown to the seat to move."""
    show, seat = table.package.words.build_hand_screen, table.header.to_move
    if show is None or seat is None:
        return None
    return show(table.package.game.view(table.state, seat), news_for(table, seat), seat_names(table), draft)


def _current_draft(pressed: ControlLike, draft: Draft | None) -> Draft:
    """Return the draft that a control is pressed with: where the bot knows of none, the one it was shown with."""
    return _control(pressed).draft if draft is None else draft


def _control(pressed: ControlLike) -> ControlId:
    control = pressed.pressed if isinstance(pressed, HandControlId) else pressed
    assert isinstance(control, ControlId)
    return control
