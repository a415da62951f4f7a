"""Answers that take long do not hold up the other clicks of whoever asks for them."""

from typing import Final

from bot.platform.discord.answers import Interaction
from bot.platform.discord.queues import QueuePlace
from bot.platform.discord.refusals import ClickReason
from bot.rules.refusals import Refusal

_PLACE: Final = "place"


def note_place(interaction: Interaction, place: QueuePlace) -> None:
    """Note the place of an interaction among those of its user."""
    interaction.extras[_PLACE] = place


def begin_long_answer(interaction: Interaction) -> None:
    """Leave the place of an interaction to the user's next click; its answer may take seconds or minutes.

    Raises:
        Refusal: As many of the user's interactions as may do so do it already.
    """
    place: QueuePlace | None = interaction.extras.get(_PLACE)
    if place is not None and not place.leave():
        raise Refusal(ClickReason.TOO_MANY_LONG_ANSWERS)
