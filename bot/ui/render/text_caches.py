"""The caches of this process in which names and other texts of people may stand."""

from bot.ui.render.button_rows import forget_labels
from bot.ui.render.emoji import OWN_EMOJI
from bot.ui.render.links import forget_names
from bot.ui.render.screen_cache import clear_screens


def clear_texts() -> None:
    """Forget everything that was rendered; pictures are forgotten by what draws them."""
    clear_screens()
    forget_names()
    forget_labels()
    OWN_EMOJI.forget_texts()
