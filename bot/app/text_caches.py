"""The caches of this process in which names and other texts of people may stand."""

from bot.platform.discord.emoji import OWN_EMOJI
from bot.tables.shown.buttons import forget_labels
from bot.tables.shown.links import forget_names
from bot.tables.shown.screen_cache import clear_screens


def clear_texts() -> None:
    """Forget everything that was rendered; pictures are forgotten by what draws them."""
    clear_screens()
    forget_names()
    forget_labels()
    OWN_EMOJI.forget_texts()
