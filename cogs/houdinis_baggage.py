"""The commands of Mr. Houdini's Baggage."""

import re
from collections.abc import Callable, Iterable
from functools import partial

from discord import app_commands
from discord.ext import commands

from bot.platform.discord.client import ParlourClient, ParlourInteraction
from bot.platform.discord.menus import make_choices
from bot.rules.refusals import unreadable
from bot.rules.screen import Control, Play
from bot.tables.handlers.commands import TableCommands, find_playing_table, legal_move_texts
from bot.tables.shown.screen import screen_of
from bot.tables.table import Table
from bot.words import gettext as _

GAME = "houdinis_baggage"
_COLOURS = ("red", "yellow", "green", "blue")
_SHAPES = ("triangle", "square", "circle", "star")

_CARD = re.compile(r"([a-z]+)[\s-]+([a-z]+)")
_SPOT = r"([0-9]{1,2}\s*[a-e])"
_BONUSES = r"(?:\s+with\s+([0-9][0-9:,\s]*))?"
_PLACE = re.compile(rf"(.+?)(?:\s+on)?\s+{_SPOT}{_BONUSES}")
_MOVE = re.compile(rf"{_SPOT}(?:\s+to)?\s+{_SPOT}{_BONUSES}")
_WORD = re.compile(r"[a-z]+|[0-9]+[a-e]?")
_SMALL_WORDS = frozenset(("on", "to", "from", "with"))

TextChoice = app_commands.Choice[str]


class HoudinisBaggage(
    commands.GroupCog, group_name="baggage", group_description=_("Mr. Houdini's Baggage: open, place and pack")
):
    """The moves of `/baggage`; `new` is generated from the options."""

    @app_commands.command(name="open", description=_("Open another baggage card"))
    async def open_card(self, command: ParlourInteraction) -> None:
        """Open a card."""
        await command.client.app.service(TableCommands).play(command, GAME, "open")

    @app_commands.command(name="stop", description=_("Stop opening cards and start placing them"))
    async def stop(self, command: ParlourInteraction) -> None:
        """End the search."""
        await command.client.app.service(TableCommands).play(command, GAME, "stop")

    @app_commands.command(name="place", description=_("Put an open card on an item of your assignments"))
    # Translators: `green square on triangle 3` is typed.
    @app_commands.describe(what=_("A card and an item, such as green square on triangle 3; choose from the list"))
    async def place(self, command: ParlourInteraction, what: app_commands.Range[str, 1, 100]) -> None:
        """Place a card."""
        await command.client.app.service(TableCommands).play(
            command, GAME, partial(read_move, what, "place", parse_placement)
        )

    @app_commands.command(name="bank", description=_("Add a card from your bank to your open cards"))
    # Translators: `red star` is typed.
    @app_commands.describe(card=_("A card from your bank, such as red star"))
    async def bank(self, command: ParlourInteraction, card: app_commands.Range[str, 1, 40]) -> None:
        """Add a card from the bank."""
        await command.client.app.service(TableCommands).play(command, GAME, f"bank {parse_card(card)}")

    @app_commands.command(name="move", description=_("Move baggage to another item with a bonus"))
    # Translators: `red star to star 2` is typed.
    @app_commands.describe(what=_("A card and an item, such as red star to star 2; choose from the list"))
    async def move(self, command: ParlourInteraction, what: app_commands.Range[str, 1, 100]) -> None:
        """Move baggage."""
        play = command.client.app.service(TableCommands).play
        await play(command, GAME, partial(read_move, what, "move", parse_baggage_move))

    @app_commands.command(name="done", description=_("End your placement and complete filled assignments"))
    async def done(self, command: ParlourInteraction) -> None:
        """End the placement."""
        await command.client.app.service(TableCommands).play(command, GAME, "done")

    @app_commands.command(name="take", description=_("Take an open assignment, or a card for your bank after a twin"))
    # Translators: `red star` is typed.
    @app_commands.describe(what=_("An assignment's number or a card, such as 17 or red star"))
    async def take(self, command: ParlourInteraction, what: app_commands.Range[str, 1, 40]) -> None:
        """Take an assignment or a card."""
        await command.client.app.service(TableCommands).play(command, GAME, parse_choice(what))

    @place.autocomplete("what")
    async def suggest_place(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest placements with their bonuses."""
        return suggestions(current, "place", await find_playing_table(command, GAME))

    @bank.autocomplete("card")
    async def suggest_bank(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest cards of the bank."""
        return suggestions(current, "bank", await find_playing_table(command, GAME))

    @move.autocomplete("what")
    async def suggest_move(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest moves of baggage."""
        return suggestions(current, "move", await find_playing_table(command, GAME))

    @take.autocomplete("what")
    async def suggest_take(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest assignments or cards, whichever the player must choose."""
        table = await find_playing_table(command, GAME)
        return suggestions(current, "take", table) or suggestions(current, "keep", table)


def parse_card(text: str) -> str:
    """Parse a card, such as `green-square`, `Green Square` or `gr sq`."""
    found = _match(_CARD, text)
    return f"{_match_prefix(found[1], _COLOURS, text)}-{_match_prefix(found[2], _SHAPES, text)}"


def _match(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    found = pattern.fullmatch(text.strip().casefold())
    if found is None:
        raise unreadable(text)
    return found


def _match_prefix(word: str, names: Iterable[str], text: str) -> str:
    """Return the only name that begins with a word."""
    matching = [name for name in names if name.startswith(word)]
    if len(matching) != 1:
        raise unreadable(text)
    return matching[0]


def parse_placement(text: str) -> str:
    """Parse a placement, such as `green square on 17b` or `green-square 17b with 4, 9:22`."""
    found = _match(_PLACE, text)
    return f"place {parse_card(found[1])} on {_normalize_spot(found[2])}{_bonus_suffix(found[3])}"


def parse_baggage_move(text: str) -> str:
    """Parse a move of baggage, such as `3a to 17b with 12`."""
    found = _match(_MOVE, text)
    return f"move {_normalize_spot(found[1])} to {_normalize_spot(found[2])}{_bonus_suffix(found[3])}"


def _normalize_spot(text: str) -> str:
    return "".join(text.split())


def _bonus_suffix(text: str | None) -> str:
    return " ".join((" with", *text.replace(",", " ").split())) if text else ""


def parse_choice(text: str) -> str:
    """Parse a choice: the number of an assignment, or a card to keep after a twin."""
    number = text.strip()
    return f"take {number}" if number.isascii() and number.isdecimal() else f"keep {parse_card(text)}"


def read_move(text: str, verb: str, parse: Callable[[str], str], table: Table) -> str:
    """Return the only legal move that has the typed words, or else the one that they write in the game's notation."""
    found = suggestions(text, verb, table)
    return f"{verb} {found[0].value}" if len(found) == 1 else parse(text)


def suggestions(current: str, verb: str, table: Table | None) -> list[TextChoice]:
    """Return the legal moves with a verb that match the typed words, named as on the screen."""
    if table is None:
        return []
    typed = [word for word in _WORD.findall(current.casefold()) if word not in _SMALL_WORDS]
    # Of a move that has a button and a line of a menu, the line comes first and says more.
    controls = {control.effect: control for control in reversed(list(screen_of(table).iter_controls()))}
    found = []
    for move in legal_move_texts(table):
        kind, _space, rest = move.partition(" ")
        control, words = controls.get(Play(move)), _WORD.findall(rest)
        in_label = iter(_WORD.findall(control.label.casefold() if control else ""))
        is_named = all(any(_matches(part, word) for word in in_label) for part in typed)  # one after another
        if kind == verb and (is_named or all(any(_matches(part, word) for word in words) for part in typed)):
            found.append((_move_label(table, move, control), rest))
    return make_choices(found)


def _matches(part: str, word: str) -> bool:
    """Return whether a typed word is the beginning of a word; a number has to be whole."""
    return word == part if part.isdecimal() else word.startswith(part)


def _move_label(table: Table, move: str, control: Control | None) -> str:
    """Return what the screen calls a move, or without a control there a description."""
    if control is not None:
        return " · ".join(filter(None, (control.label, control.description)))
    package = table.package
    describe, view = package.study.describe_move, package.game.view(table.state, None)
    return move if describe is None else describe(view, package.game.parse_move(move))


async def setup(client: ParlourClient) -> None:
    """Add the commands to the client."""
    await client.add_cog(HoudinisBaggage())
