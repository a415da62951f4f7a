"""Passes each click to the function for its id, and makes sure that every click is answered."""

from collections.abc import Awaitable, Callable, Mapping
from typing import TypeAlias, cast

import discord

from bot.platform.discord.answers import Interaction, defer_if_slow
from bot.platform.discord.ids import Handlers, UnknownId, parse_id
from bot.platform.discord.refusals import ClickReason
from bot.rules.refusals import Refusal

CLICK_TYPES = (discord.InteractionType.component, discord.InteractionType.modal_submit)
"""The types of interactions answered here: clicks and forms."""

AnswerFault: TypeAlias = Callable[[Interaction, Exception], Awaitable[None]]
"""Tells the person who clicked why the click failed."""


class Dispatcher:
    """Finds the function that answers a click."""

    def __init__(self, handlers: Handlers, answer_fault: AnswerFault) -> None:
        self.handlers = handlers
        self.answer_fault = answer_fault

    async def on_interaction(self, click: Interaction) -> None:
        """Answer a click or a (forged) form; ignore other interactions."""
        if click.type not in CLICK_TYPES:
            return
        try:
            await defer_if_slow(click, self._route(click))
        except UnknownId:
            await self.answer_fault(click, Refusal(ClickReason.UNKNOWN_BUTTON))
        except Exception as fault:  # noqa: BLE001 - the person who clicked gets an answer, whatever went wrong
            await self.answer_fault(click, fault)

    async def _route(self, click: Interaction) -> None:
        pressed = parse_id(_custom_id(click))
        await self.handlers[type(pressed)](click, pressed)


def _custom_id(click: Interaction) -> str:
    if click.type is not discord.InteractionType.component:
        # Parlour shows no forms, so this one is forged.
        return ""
    data = cast("Mapping[str, object]", click.data or {})
    return str(data.get("custom_id", ""))
