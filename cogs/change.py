"""The commands of Change."""

import re
from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.tables.table import Table
from bot.ui.client.client import Command, ParlourClient
from bot.ui.features.autocomplete import table_playing
from bot.ui.render.absences import plain_seat_names
from bot.ui.render.suggestions import offered
from bot.words import listed

GAME = "change"
_CHOOSE = "choose"
_OF_A_HAND = ("replace", "keep")
_NUMBERED = re.compile(r"\b(add|replace)[\s-]*(\d)")
_WORD = re.compile(r"[\w-]+")
_ME = ("me", "i", "self", "myself")

Text = app_commands.Choice[str]


class Change(commands.GroupCog, group_name="change", group_description="Change: be rid of your Self Credits first"):
    """`/change new`, the moves of the game, and `/change hand`."""

    @app_commands.command(name="new", description="Open a table of Change in this channel")
    @app_commands.describe(
        credits="What everybody starts with: 120 in the standard game, 50 in the short one",
        sets="The advanced game, in which a whole set releases double (yes)",
        games="More than one make a tournament",
        computers="Seats for computer players",
    )
    async def new(
        self,
        command: Command,
        credits: app_commands.Range[int, 20, 300] = 120,  # noqa: A002 - people read the option's name
        sets: bool = True,
        games: app_commands.Range[int, 1, 9] = 1,
        computers: app_commands.Range[int, 0, 5] = 0,
    ) -> None:
        """Open a table."""
        await command.client.desk.open(command, GAME, {"credits": credits, "sets": sets, "games": games}, computers)

    @app_commands.command(name="roll", description="Roll the track dice and move")
    async def roll(self, command: Command) -> None:
        """Begin a turn."""
        await command.client.desk.play(command, GAME, "roll")

    @app_commands.command(name="challenge", description="Take on the challenge of the space you have come to")
    async def challenge(self, command: Command) -> None:
        """Take on a challenge."""
        await command.client.desk.play(command, GAME, "challenge")

    @app_commands.command(name="option", description="Go to another challenge space and try its challenge")
    @app_commands.describe(space="The name of the space")
    async def option(self, command: Command, space: app_commands.Range[str, 1, 20]) -> None:
        """Make an option move."""
        await command.client.desk.play(command, GAME, f"option {space.strip().casefold()}")

    @app_commands.command(name="card", description="Play a message card")
    @app_commands.describe(play="For example: add 3; greed place; any greed place; replace 2 add 1 envy")
    async def card(self, command: Command, play: app_commands.Range[str, 1, 80]) -> None:
        """Play a card."""
        await command.client.desk.play(command, GAME, f"card {written(play)}")

    @app_commands.command(name="choose", description="Decide what a corner or Backslide asks of you")
    @app_commands.describe(what="Myself, or other players; a space; or a card to replace or keep")
    async def choose(self, command: Command, what: app_commands.Range[str, 1, 80]) -> None:
        """Decide something."""
        await command.client.desk.play(command, GAME, lambda table: choice_in(what, table))

    @app_commands.command(name="done", description="End your turn")
    async def done(self, command: Command) -> None:
        """End the turn."""
        await command.client.desk.play(command, GAME, "done")

    @app_commands.command(name="hand", description="See your message cards, which nobody else sees, and play them")
    async def hand(self, command: Command) -> None:
        """Show the hand."""
        await command.client.hands.show_here(command, GAME)

    @option.autocomplete("space")
    async def suggest_space(self, command: Command, current: str) -> list[Text]:
        """Suggest the spaces that an option move may lead to."""
        return await _suggested(command, ("option",), current)

    @card.autocomplete("play")
    async def suggest_card(self, command: Command, current: str) -> list[Text]:
        """Suggest what the own cards may be played for."""
        return await _suggested(command, ("card",), current)

    @choose.autocomplete("what")
    async def suggest_choice(self, command: Command, current: str) -> list[Text]:
        """Suggest what there is to decide."""
        return await _suggested(command, (_CHOOSE, *_OF_A_HAND), current)


async def _suggested(command: Command, verbs: Sequence[str], current: str) -> list[Text]:
    """Suggest moves of some kinds, to nobody but whoever may make them: they tell what is in a hand."""
    table = await table_playing(command, GAME)
    if table is None or table.header.awaits_computer or table.header.to_move != table.seat_of(command.user.id):
        return []
    return suggestions(table, verbs, current)


def suggestions(table: Table, verbs: Sequence[str], current: str) -> list[Text]:
    """Return the moves of some kinds that go on from what is typed so far, without their verbs."""
    moves = [move.split(" ", 1) for move in _moves(table)]
    values = [_renumbered(rest[0], 1) for verb, *rest in moves if verb in verbs and rest]
    names, shown = [who.name for who in table.seats], plain_seat_names(table)
    typed = f" {current.strip().casefold()}"
    fitting = (value for value in values if typed in f" {value}" or typed in f" {_told(value, names).casefold()}")
    return offered((_told(value, shown), value) for value in fitting)


def _moves(table: Table) -> list[str]:
    """Return what can be done now; nothing where no game is under way."""
    return [] if table.state is None else [str(move) for move in table.package.game.moves(table.state)]


def _told(value: str, names: Sequence[str]) -> str:
    """Write what is suggested with the names of players in place of their numbers."""
    numbers = value.split(" ")
    return listed([names[int(number) - 1] for number in numbers]) if all(map(str.isdecimal, numbers)) else value


def _renumbered(value: str, by: int) -> str:
    """Number seats otherwise, if a value names any: people count them from one, as pictures do, moves from zero."""
    numbers = value.split(" ")
    return " ".join(str(int(each) + by) for each in numbers) if all(map(str.isdecimal, numbers)) else value


def written(text: str) -> str:
    """Read cards as people write them: `Add 3`, `replace 2 add 1 envy`, `any, greed, place`."""
    return " ".join(_WORD.findall(_NUMBERED.sub(r"\1-\2", text.casefold())))


def choice_in(text: str, table: Table) -> str:
    """Read what somebody decides: what is suggested, `me`, players by name or number, a space, or a card."""
    moves = _moves(table)
    verbs = {move.split(" ", 1)[0] for move in moves}
    asked = f"{next((verb for verb in _OF_A_HAND if verb in verbs), _CHOOSE)} {_renumbered(written(text), -1)}"
    if asked in moves or not asked.startswith(_CHOOSE):
        return asked
    if text.strip().casefold() in _ME:
        return f"{_CHOOSE} myself"
    names = [who.name.casefold() for who in table.seats]
    parts = [part.strip().casefold() for part in text.split(",")]
    # Whoever shares their name with somebody else is not told apart by it.
    if all(names.count(part) == 1 for part in parts):
        return " ".join((_CHOOSE, *(str(names.index(part)) for part in parts)))
    return asked


async def setup(client: ParlourClient) -> None:
    """Add the commands to the client."""
    await client.add_cog(Change())
