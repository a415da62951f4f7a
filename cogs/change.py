"""The commands of Change."""

import re
from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.platform.discord.client import ParlourClient, ParlourInteraction
from bot.platform.discord.menus import make_choices
from bot.tables.handlers.commands import TableCommands, find_playing_table, legal_move_texts
from bot.tables.handlers.hands import Hands
from bot.tables.shown.story import marked_seat_names
from bot.tables.table import Table
from bot.words import gettext as _, join_items

GAME = "change"
_CHOOSE = "choose"
_HAND_VERBS = ("replace", "keep")
_NUMBERED_CARD = re.compile(r"\b(add|replace)[\s-]*(\d)")
_WORD = re.compile(r"[\w-]+")
_SELF_WORDS = ("me", "i", "self", "myself")

TextChoice = app_commands.Choice[str]


class Change(
    commands.GroupCog, group_name="change", group_description=_("Change: be first to get rid of your Self Credits")
):
    """The moves of `/change`, and `/change hand`; `new` is generated from the options."""

    @app_commands.command(name="roll", description=_("Roll the track dice and move"))
    async def roll(self, command: ParlourInteraction) -> None:
        """Begin a turn."""
        await command.client.app.service(TableCommands).play(command, GAME, "roll")

    @app_commands.command(name="challenge", description=_("Take on the challenge of the space you're on"))
    async def challenge(self, command: ParlourInteraction) -> None:
        """Take on a challenge."""
        await command.client.app.service(TableCommands).play(command, GAME, "challenge")

    @app_commands.command(name="move", description=_("Move to another challenge space and try its challenge"))
    @app_commands.describe(space=_("The name of the space"))
    async def move(self, command: ParlourInteraction, space: app_commands.Range[str, 1, 20]) -> None:
        """Move to another challenge space."""
        await command.client.app.service(TableCommands).play(command, GAME, f"option {space.strip().casefold()}")

    @app_commands.command(name="card", description=_("Play a message card"))
    # Translators: `add 3`, `greed place`, `any greed place` and `replace 2 add 1 envy` are typed.
    @app_commands.describe(play=_("Such as add 3; greed place; any greed place; or replace 2 add 1 envy"))
    async def card(self, command: ParlourInteraction, play: app_commands.Range[str, 1, 80]) -> None:
        """Play a card."""
        await command.client.app.service(TableCommands).play(command, GAME, f"card {parse_card_text(play)}")

    @app_commands.command(name="choose", description=_("Make the choice that a corner or Backslide asks for"))
    @app_commands.describe(what=_("Me, or other players; a space; or a card to replace or keep"))
    async def choose(self, command: ParlourInteraction, what: app_commands.Range[str, 1, 80]) -> None:
        """Make a decision."""
        await command.client.app.service(TableCommands).play(command, GAME, lambda table: parse_choice(what, table))

    @app_commands.command(name="done", description=_("End your turn"))
    async def done(self, command: ParlourInteraction) -> None:
        """End the turn."""
        await command.client.app.service(TableCommands).play(command, GAME, "done")

    @app_commands.command(name="hand", description=_("See and play your message cards; only you see them"))
    async def hand(self, command: ParlourInteraction) -> None:
        """Show the hand."""
        await command.client.app.service(Hands).show_here(command, GAME)

    @move.autocomplete("space")
    async def suggest_space(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest the spaces to move to."""
        return await _suggest_moves(command, ("option",), current)

    @card.autocomplete("play")
    async def suggest_card(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest ways to play the user's own cards."""
        return await _suggest_moves(command, ("card",), current)

    @choose.autocomplete("what")
    async def suggest_choice(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest the possible decisions."""
        return await _suggest_moves(command, (_CHOOSE, *_HAND_VERBS), current)


async def _suggest_moves(command: ParlourInteraction, verbs: Sequence[str], current: str) -> list[TextChoice]:
    """Suggest the user's moves with some verbs, only if it is the user's turn, because they reveal the hand."""
    table = await find_playing_table(command, GAME)
    if table is None or table.header.awaits_computer or table.header.to_move != table.seat_of(command.user.id):
        return []
    return suggestions(table, verbs, current)


def suggestions(table: Table, verbs: Sequence[str], current: str) -> list[TextChoice]:
    """Return the legal moves with some verbs that match the typed text, as the game names them; values have no verb."""
    names, display_names = [occupant.name for occupant in table.seats], marked_seat_names(table)
    typed, found = f" {current.strip().casefold()}", list[tuple[str, str]]()
    for move in legal_move_texts(table):
        verb, *rest = move.split(" ", 1)
        if verb not in verbs or not rest:
            continue
        value = _shift_seat_numbers(rest[0], 1)
        if typed in f" {value}" or typed in f" {_move_label(table, move, value, names).casefold()}":
            found.append((_move_label(table, move, value, display_names), value))
    return make_choices(found)


def _move_label(table: Table, move: str, value: str, names: Sequence[str]) -> str:
    """Return the names of the players that a move chooses, or else what the game calls the move."""
    numbers = value.split(" ")
    if all(map(str.isdecimal, numbers)):
        return join_items([names[int(number) - 1] for number in numbers])
    package, describe = table.package, table.package.study.describe_move
    return value if describe is None else describe(package.game.view(table.state, None), package.game.parse_move(move))


def _shift_seat_numbers(value: str, offset: int) -> str:
    """Shift the seat numbers in a value, if any: users count from one, as in pictures, and moves from zero."""
    numbers = value.split(" ")
    return " ".join(str(int(each) + offset) for each in numbers) if all(map(str.isdecimal, numbers)) else value


def parse_card_text(text: str) -> str:
    """Parse a way to play a card, such as `Add 3`, `replace 2 add 1 envy` or `any, greed, place`."""
    return " ".join(_WORD.findall(_NUMBERED_CARD.sub(r"\1-\2", text.casefold())))


def parse_choice(text: str, table: Table) -> str:
    """Parse a decision: a suggested value, `me`, players by name or number, a space, or a card."""
    moves = legal_move_texts(table)
    verbs = {each.split(" ", 1)[0] for each in moves}
    verb = next((verb for verb in _HAND_VERBS if verb in verbs), _CHOOSE)
    move = f"{verb} {_shift_seat_numbers(parse_card_text(text), -1)}"
    if move in moves or not move.startswith(_CHOOSE):
        return move
    if text.strip().casefold() in _SELF_WORDS:
        return f"{_CHOOSE} myself"
    names = [occupant.name.casefold() for occupant in table.seats]
    parts = [part.strip().casefold() for part in text.split(",")]
    # A name shared by two players identifies neither.
    if all(names.count(part) == 1 for part in parts):
        return " ".join((_CHOOSE, *(str(names.index(part)) for part in parts)))
    return move


async def setup(client: ParlourClient) -> None:
    """Add the commands to the client."""
    await client.add_cog(Change())
