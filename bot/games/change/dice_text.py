"""Dice of Change as text."""

from collections.abc import Sequence

from bot.games.change.pieces import PublicState
from bot.words import gettext as _, seat_emoji

DIE_FACES = "⚀⚁⚂⚃⚄⚅"


def format_dice(dice: Sequence[int]) -> str:
    """Return dice as symbols."""
    return "".join(DIE_FACES[face - 1] for face in dice)


def roll_off_line(public: PublicState) -> str:
    """Return every round of the roll-off, by seats instead of names, as players may have changed. Rule CH-2."""
    rounds = (
        ", ".join(f"{seat_emoji(seat)} {format_dice(dice)}" for seat, dice in round_.rolls)
        for round_ in public.roll_off
    )
    line = _("🎲 Roll-off: {rounds}. {seat} starts.")
    starter = seat_emoji(public.roll_off[-1].leaders[0])
    return line.format(rounds=_("; tied, re-roll: ").join(rounds), seat=starter)
