"""The bot's own emoji, of all symbols that have art, each drawn once."""

from functools import cache

from bot.app.bootstrap import symbols_of
from bot.pictures.symbols import SymbolPainter
from bot.platform.content import DATA
from bot.platform.discord.emoji_sync import EmojiSync
from bot.rules.picture import Symbol
from bot.sandbox import Sandbox
from tests.support.games import load_games_once


class PainterOnce(SymbolPainter):
    """Draws each symbol once."""

    @cache  # noqa: B019 - there is one painter
    def draw(self, symbol: Symbol) -> bytes:
        return super().draw(symbol)


PAINTER = PainterOnce(DATA)


def make_emoji_sync() -> EmojiSync:
    """Return what makes the emoji of a bot."""
    return EmojiSync(PAINTER, symbols_of(load_games_once()))


def add_emoji(sandbox: Sandbox) -> None:
    """Give a bot the emoji that its first start would make: drawing and uploading them takes longer than the start."""
    for symbol in symbols_of(load_games_once()):
        sandbox.world.emojis.add(f"parlour_{symbol.name}_{PAINTER.digest(symbol)[:6]}", "image/png", b"")
