"""The commands of The Magic Bag."""

import re
from functools import partial

from discord import app_commands
from discord.ext import commands

from bot.platform.discord.client import ParlourClient, ParlourInteraction
from bot.platform.discord.menus import make_choices
from bot.rules.refusals import unreadable
from bot.tables.handlers.commands import TableCommands, legal_move_texts, suggest
from bot.tables.shown.screen import screen_of
from bot.tables.table import Table
from bot.words import gettext as _

GAME = "magic_bag"
_SUITS = ("sun", "moon", "crown", "arms")
_SHIELD = "shields"
"""What players read for the arms of the notation."""
_SUIT_EMOJIS = ("☀️", "🌙", "👑", "🛡️")
_VALUES = {"0": "null", "null": "null", "1": "ace", "ace": "ace"} | {digit: digit for digit in "2345"}
_ALL = "all"
_NONE = "none"
_WORD = re.compile(r"[a-z0-9]+")
_PART = re.compile(r"[a-z]+|[0-9]")
_PIECE = re.compile(r"([a-z]+?)[\s-]*(null|ace|[0-5])")

TextChoice = app_commands.Choice[str]


class MagicBag(
    commands.GroupCog, group_name="magic-bag", group_description=_("The Magic Bag: a solitaire with four dice")
):
    """The moves of `/magic-bag`; `new` is generated from the options."""

    @app_commands.command(name="roll", description=_("Keep some dice and re-roll the rest"))
    # Translators: `sun shield`, `all` and `none` are typed.
    @app_commands.describe(keep=_("Dice to keep, such as sun shield; all stops rolling, none re-rolls all four"))
    async def roll(self, command: ParlourInteraction, keep: app_commands.Range[str, 1, 60] = _NONE) -> None:
        """Roll dice again."""
        await command.client.app.service(TableCommands).play(command, GAME, parse_keep(keep))

    @app_commands.command(name="claim", description=_("Take a row that matches the dice"))
    @app_commands.describe(row=_("The number of the row"))
    async def claim(self, command: ParlourInteraction, row: app_commands.Range[int, 1, 9]) -> None:
        """Take a row."""
        await command.client.app.service(TableCommands).play(command, GAME, f"claim {row}")

    @app_commands.command(name="discard", description=_("Give up a coin after a failed roll and play on"))
    @app_commands.describe(
        # Translators: `crown 2` is typed.
        coin=_("One of your coins, such as crown 2"),
        tile=_("A tile to take away, too; a die must match its suit and value"),
    )
    async def discard(
        self,
        command: ParlourInteraction,
        coin: app_commands.Range[str, 1, 20],
        tile: app_commands.Range[str, 1, 20] | None = None,
    ) -> None:
        """Discard a coin."""
        move = f"discard {parse_piece(coin)}"
        await command.client.app.service(TableCommands).play(
            command, GAME, f"{move} tile {parse_piece(tile)}" if tile else move
        )

    @app_commands.command(name="finish", description=_("End the game after a failed roll"))
    async def finish(self, command: ParlourInteraction) -> None:
        """End the game."""
        await command.client.app.service(TableCommands).play(command, GAME, "finish")

    @roll.autocomplete("keep")
    async def suggest_keep(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest dice to keep, with their faces."""
        return await suggest(command, GAME, partial(keep_suggestions, current))

    @claim.autocomplete("row")
    async def suggest_row(self, command: ParlourInteraction, current: object) -> list[app_commands.Choice[int]]:
        """Suggest the rows that the dice match; there are nine at most, so the typed text is ignored."""
        return await suggest(command, GAME, row_suggestions)

    @discard.autocomplete("coin")
    async def suggest_coin(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest the coins that can be discarded."""
        return await suggest(command, GAME, partial(piece_suggestions, current, 1))

    @discard.autocomplete("tile")
    async def suggest_tile(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest the tiles that can be removed."""
        return await suggest(command, GAME, partial(piece_suggestions, current, 3))


def moves_of_kind(verb: str, table: Table) -> list[list[str]]:
    """Return the legal moves with a verb, each as a list of words."""
    moves = (move.split(" ") for move in legal_move_texts(table))
    return [words for words in moves if words[0] == verb]


def parse_keep(text: str) -> str:
    """Parse the dice to keep, such as `sun arms`, `suns, arms`, `s a`, `all` or `none`, and return the move."""
    words = _WORD.findall(text.casefold())
    if not words:
        raise unreadable(text)
    if words == [_ALL]:
        return "stop"
    kept = set() if words == [_NONE] else {_parse_suit(word, text) for word in words}
    rest = [suit for suit in _SUITS if suit not in kept]
    return " ".join(("roll", *rest)) if rest else "stop"


def parse_piece(text: str) -> str:
    """Parse a coin or tile, such as `crown-2`, `Crown 2`, `c2`, `sun null`, `sun 0`, `moon ace` or `m1`."""
    found = _PIECE.fullmatch(text.strip().casefold())
    if found is None:
        raise unreadable(text)
    return f"{_parse_suit(found[1], text)}-{_VALUES[found[2]]}"


def _parse_suit(word: str, text: str) -> str:
    """Return the first suit that begins with a word, in the singular or plural; arms are shields, too."""
    matching = [suit for suit in _SUITS if f"{suit.removesuffix('s')}s".startswith(word)]
    if not matching and _SHIELD.startswith(word):
        return _SUITS[-1]
    if not matching:
        raise unreadable(text)
    return matching[0]


def keep_suggestions(current: str, table: Table) -> list[TextChoice]:
    """Return the sets of dice that can be kept and match the typed words."""
    typed = _WORD.findall(current.casefold())
    faces = dict(zip(_SUITS, zip(_SUIT_EMOJIS, table.state.faces, strict=True), strict=True))
    found = []
    for _roll, *rolled in moves_of_kind("roll", table):
        kept = [suit for suit in _SUITS if suit not in rolled] or [_NONE]
        if all(any(name.startswith(word) for suit in kept for name in _names_of(suit)) for word in typed):
            emojis = " ".join(f"{emoji}{face}" for suit, (emoji, face) in faces.items() if suit in kept)
            names = " ".join(_names_of(suit)[-1] for suit in kept)
            found.append((f"{names}   {emojis}".strip(), " ".join(kept)))
    if moves_of_kind("stop", table) and all(_ALL.startswith(word) for word in typed):
        # Translators: `all` is typed.
        found.append((_("all: stop rolling"), _ALL))
    return make_choices(found)


def _names_of(suit: str) -> tuple[str, ...]:
    """Return the names of a suit, the one that players read last."""
    return (suit, _SHIELD.removesuffix("s")) if suit == _SUITS[-1] else (suit,)


def row_suggestions(table: Table) -> list[app_commands.Choice[int]]:
    """Return the rows that the dice match, labelled like the table's buttons."""
    screen = screen_of(table)
    controls = ((int(row), screen.find_control(f"row{row}")) for _claim, row in moves_of_kind("claim", table))
    return make_choices((control.label, row) for row, control in controls if control)


def piece_suggestions(current: str, at: int, table: Table) -> list[TextChoice]:
    """Return the coins or tiles that match the typed words, each once; `at` is their place in a discard's words."""
    names = [words[at] for words in moves_of_kind("discard", table) if len(words) > at]
    typed = _PART.findall(current.casefold())
    return make_choices(
        (f"{_names_of(name.partition('-')[0])[-1]}-{name.partition('-')[2]}", name)
        for name in dict.fromkeys(names)
        if all(any(part.startswith(word) for part in _piece_words(name)) for word in typed)
    )


def _piece_words(name: str) -> list[str]:
    """Return the words for a coin or tile: its suit, and its value as digit and word."""
    suit, value = name.split("-")
    return [*_names_of(suit), *(spelling for spelling, word in _VALUES.items() if word == value)]


async def setup(client: ParlourClient) -> None:
    """Add the commands to the client."""
    await client.add_cog(MagicBag())
