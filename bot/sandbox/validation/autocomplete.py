"""Validates autocomplete choices."""

from bot.sandbox.model.commands import focused_type
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.validation.commands import MAX_CHOICES, check_choice
from bot.sandbox.validation.errors import ValidationErrors, enumerate_paths
from bot.sandbox.wire import Json


def check_choices(interaction: Interaction, data: Json) -> list[Json]:
    """Return the choices of a response; raise ApiError if Discord would refuse them."""
    errors = ValidationErrors()
    choices: list[Json] | None = data.get("choices")
    path = ("data", "choices")
    if errors.check_objects(path, choices, MAX_CHOICES):
        for choice_path, choice in enumerate_paths(path, choices):
            check_choice(errors, choice_path, choice, focused_type(interaction.data))
    errors.raise_if_any()
    return choices or []
