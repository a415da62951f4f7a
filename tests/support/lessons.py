"""Follows lessons by the only control that can be pressed."""

from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import ButtonStyle, Message
from bot.sandbox.people.person import Person


async def press_next(person: Person, message: Message) -> Interaction | None:
    """Press the control that a lesson awaits, or choose it in its menu; return None at the end."""
    for button in message.buttons:
        if button.style is ButtonStyle.SUCCESS and (button.custom_id or "").startswith("LC:"):
            return await person.click(message, button.custom_id or "")
    for menu in message.selects:
        if menu.custom_id.startswith("LM:"):
            (only,) = menu.options
            return await person.select(message, menu.custom_id, [only["value"]])
    return None
