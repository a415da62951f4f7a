"""Checks the choices that a bot offers while somebody types."""

from bot.sandbox.model.commands import focused_type
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.validation.commands import MAX_CHOICES, check_choice
from bot.sandbox.validation.faults import ValidationErrors, enumerate_paths
from bot.sandbox.wire import Json


def check_choices(interaction: Interaction, data: Json) -> list[Json]:
    """Return the choices; refuse those that Discord would refuse."""
    faults = ValidationErrors()
    choices: list[Json] | None = data.get("choices")
    place = ("data", "choices")
    if faults.check_objects(place, choices, MAX_CHOICES):
        for here, choice in enumerate_paths(place, choices):
            check_choice(faults, here, choice, focused_type(interaction.data))
    faults.raise_if_any()
    return choices or []
