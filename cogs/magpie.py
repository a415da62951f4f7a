"""The commands of Magpie."""

from discord import app_commands
from discord.ext import commands

from bot.ui.client.client import Command, ParlourClient
from bot.ui.features.autocomplete import table_playing
from bot.ui.features.typed_dice import digits_in, means
from bot.ui.render.suggestions import offered

GAME = "magpie"
_DICE = range(1, 6)
_PIPS = "⚀⚁⚂⚃⚄⚅"


class Magpie(commands.GroupCog, group_name="magpie", group_description="Magpie: collect matching dice"):
    """`/magpie new` and `/magpie roll`."""

    @app_commands.command(name="new", description="Open a table of Magpie in this channel")
    @app_commands.describe(
        target="The score to reach (100)",
        double_big_rolls="Three, four or five dice rolled pay double",
        reroll_fours="Four of a kind clears the table too",
        five_dice_bonus="Rolling all five dice pays at least 7",
        computers="Seats for computer players",
    )
    async def new(
        self,
        command: Command,
        target: app_commands.Range[int, 50, 500] = 100,
        double_big_rolls: bool = False,
        reroll_fours: bool = False,
        five_dice_bonus: bool = False,
        computers: app_commands.Range[int, 0, 5] = 0,
    ) -> None:
        """Open a table."""
        options = {
            "target": target,
            "double_big_rolls": double_big_rolls,
            "reroll_fours": reroll_fours,
            "five_dice_bonus": five_dice_bonus,
        }
        await command.client.desk.open(command, GAME, options, computers)

    @app_commands.command(name="roll", description="Roll some of the five dice on the table")
    @app_commands.describe(dice="Which dice, counted from the left: for example 1 3 5, or all")
    async def roll(self, command: Command, dice: app_commands.Range[str, 1, 40]) -> None:
        """Roll dice."""
        await command.client.desk.play(command, GAME, f"roll {' '.join(map(str, places_in(dice)))}")

    @roll.autocomplete("dice")
    async def suggest(self, command: Command, current: str) -> list[app_commands.Choice[str]]:
        """Suggest dice, with what they show now."""
        table = await table_playing(command, GAME)
        if table is None:
            return []
        return suggestions(current, table.state.faces, [move.dice for move in table.package.game.moves(table.state)])


def places_in(text: str) -> list[int]:
    """Read dice as people write them: `1 3 5`, `1,3,5`, `135` or `all`; refuses anything else."""
    return list(_DICE) if means(text, "all") else digits_in(text)


def suggestions(current: str, faces: tuple[int, ...], rolls: list[tuple[int, ...]]) -> list[app_commands.Choice[str]]:
    """Return the rolls that go on from what is typed so far."""
    typed = set(map(str, _DICE)) if _means_all(current) else {sign for sign in current if sign.isdecimal()}
    fitting = [dice for dice in rolls if typed <= set(map(str, dice))]
    # All five first: where many rolls fit, the others fill what room there is.
    ordered = sorted(fitting, key=lambda dice: len(dice) != len(faces))
    return offered((_named(dice, faces), " ".join(map(str, dice))) for dice in ordered)


def _means_all(text: str) -> bool:
    text = text.strip().casefold()
    return bool(text) and "all".startswith(text)


def _named(dice: tuple[int, ...], faces: tuple[int, ...]) -> str:
    shown = " ".join(_PIPS[faces[place - 1] - 1] for place in dice)
    return f"{' '.join(map(str, dice))}   {shown}"


async def setup(client: ParlourClient) -> None:
    """Add the commands to the client."""
    await client.add_cog(Magpie())
