"""Checks the choices that a bot offers while somebody types."""

from bot.sandbox.model.commands import focused_type
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.validation.commands import CHOICES, check_choice
from bot.sandbox.validation.faults import Faults, numbered
from bot.sandbox.wire import Json


def check_choices(interaction: Interaction, data: Json) -> list[Json]:
    """Return the choices; refuse those that Discord would refuse."""
    faults = Faults()
    choices: list[Json] | None = data.get("choices")
    place = ("data", "choices")
    if faults.objects(place, choices, CHOICES):
        for here, choice in numbered(place, choices):
            check_choice(faults, here, choice, focused_type(interaction.data))
    faults.complain()
    return choices or []
