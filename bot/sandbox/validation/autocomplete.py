"""Validates autocomplete choices."""

from bot.sandbox.model.commands import focused_type
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.validation.commands import MAX_CHOICES, check_choice
from bot.sandbox.validation.request_part import RequestPart
from bot.sandbox.wire import Json


def check_choices(interaction: Interaction, data: Json) -> list[Json]:
    """Return the choices of a response; raise ApiError if Discord would refuse them."""
    choices = RequestPart(data, ("data",))["choices"]
    if choices.check_objects(MAX_CHOICES):
        for choice in choices:
            check_choice(choice, focused_type(interaction.data))
    choices.raise_if_any()
    return choices.value or []
