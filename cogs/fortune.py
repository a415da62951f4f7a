"""The commands of Fortune."""

from typing import Any

from discord import app_commands
from discord.ext import commands

from bot.tables.table import Table
from bot.ui.client.client import Command, ParlourClient
from bot.ui.features.autocomplete import table_playing
from bot.ui.features.typed_dice import digits_in, means
from bot.ui.render.suggestions import offered
from bot.words import gettext as _

GAME = "fortune"
_DICE = range(1, 9)
_SIGNS = "💀🐵🦜⚔🪙💎"
_ALL = "all"
_NONE = "none"

Places = app_commands.Range[str, 1, 40]
Text = app_commands.Choice[str]


class Fortune(commands.GroupCog, group_name="fortune", group_description="Fortune: dice, cards and three skulls"):
    """`/fortune new`, `roll`, `sorceress` and `stop`."""

    @app_commands.command(name="new", description="Open a table of Fortune in this channel")
    @app_commands.describe(
        target="The finish line, which has to be crossed (8000)",
        nine_wins="A Gold or Diamond card and eight dice of that kind win at once",
        computers="Seats for computer players",
    )
    async def new(
        self,
        command: Command,
        target: app_commands.Range[int, 1000, 20000] = 8000,
        nine_wins: bool = False,
        computers: app_commands.Range[int, 0, 3] = 0,
    ) -> None:
        """Open a table."""
        await command.client.desk.open(command, GAME, {"target": target, "nine_wins": nine_wins}, computers)

    @app_commands.command(name="roll", description="Roll dice that show no skull")
    @app_commands.describe(
        dice="Which dice, counted from the left: for example 1 3 5; all rolls every die without a skull",
        chest="With a Treasure Chest: what lies in it, for example 2 4 or none; otherwise all you keep",
    )
    async def roll(self, command: Command, dice: Places, chest: Places = _ALL) -> None:
        """Roll dice."""
        await command.client.desk.play(command, GAME, lambda table: roll_in(dice, chest, table))

    @app_commands.command(name="sorceress", description="Have the Sorceress bring a skull back, and roll it")
    @app_commands.describe(die="The skull that comes back", dice="Other dice to roll with it: for example 1 3 5")
    async def sorceress(self, command: Command, die: app_commands.Range[int, 1, 8], dice: Places | None = None) -> None:
        """Bring a skull back."""
        others = f" with {_written(digits_in(dice))}" if dice else ""
        await command.client.desk.play(command, GAME, f"sorceress {die}{others}")

    @app_commands.command(name="stop", description="End your turn")
    async def stop(self, command: Command) -> None:
        """End the turn."""
        await command.client.desk.play(command, GAME, "stop")

    @roll.autocomplete("dice")
    async def suggest_dice(self, command: Command, current: str) -> list[Text]:
        """Suggest dice to roll, with what they show now."""
        table = await table_playing(command, GAME)
        return rolls(current, table) if table else []

    @sorceress.autocomplete("die")
    async def suggest_skull(self, command: Command, current: object) -> list[app_commands.Choice[int]]:
        """Suggest the skulls that can come back; there are three at most, whatever is typed."""
        table = await table_playing(command, GAME)
        return skulls(table) if table else []


def roll_in(dice: str, chest: str, table: Table) -> str:
    """Read a roll as people write it; where no game is under way, `all` means all eight dice."""
    turn = table.state and table.state.turn
    free = turn.free if turn else _DICE
    rolled = list(free) if means(dice, _ALL) else digits_in(dice)
    move = f"roll {_written(rolled)}"
    if means(chest, _ALL):
        has_chest = turn and turn.faces and turn.card.kind == "treasure-chest" and not turn.island
        kept = [place for place in free if place not in rolled] if has_chest else []
    else:
        kept = [] if means(chest, _NONE) else digits_in(chest)
    return f"{move} chest {_written(kept)}" if kept else move


def _written(places: list[int]) -> str:
    return " ".join(map(str, places))


def rolls(current: str, table: Table) -> list[Text]:
    """Return the rolls that go on from what is typed so far, those of most dice first."""
    typed = {sign for sign in current if sign.isdecimal()}
    faces, free = table.state.turn.faces, set(map(str, table.state.turn.free))
    every = dict.fromkeys(
        words[5:].split(" chest ")[0] for words in map(str, _moves(table)) if words.startswith("roll")
    )
    wanted = free if current.strip() and _ALL.startswith(current.strip().casefold()) else typed
    return offered((_named(places, faces), places) for places in reversed(every) if wanted <= set(places.split()))


def _moves(table: Table) -> Any:
    return table.package.game.moves(table.state)


def _named(places: str, faces: tuple[int, ...]) -> str:
    shown = "".join(_SIGNS[faces[int(place) - 1]] for place in places.split()) if faces else _("all eight")
    return f"{places}   {shown}"


def skulls(table: Table) -> list[app_commands.Choice[int]]:
    """Return the skulls that the Sorceress can bring back."""
    words = (str(move).split() for move in _moves(table))
    places = sorted({int(parts[1]) for parts in words if parts[0] == "sorceress"})
    return offered((_("die {die}").format(die=place), place) for place in places)


async def setup(client: ParlourClient) -> None:
    """Add the commands to the client."""
    await client.add_cog(Fortune())
