"""The commands of Magpie."""

from discord import app_commands
from discord.ext import commands

from bot.platform.discord.client import ParlourClient, ParlourInteraction
from bot.platform.discord.menus import make_choices
from bot.tables.handlers.commands import TableCommands, find_playing_table, matches_word, parse_digits
from bot.words import gettext as _

GAME = "magpie"
_DICE = range(1, 6)
_PIPS = "⚀⚁⚂⚃⚄⚅"


class Magpie(commands.GroupCog, group_name="magpie", group_description=_("Magpie: collect matching dice")):
    """The moves of `/magpie`; `new` is generated from the options."""

    @app_commands.command(name="roll", description=_("Re-roll some of the five dice"))
    # Translators: `all` is typed.
    @app_commands.describe(dice=_("Which dice, from the left: 1 3 5, for example, or all"))
    async def roll(self, command: ParlourInteraction, dice: app_commands.Range[str, 1, 40]) -> None:
        """Roll dice."""
        await command.client.app.service(TableCommands).play(
            command, GAME, f"roll {' '.join(map(str, parse_dice(dice)))}"
        )

    @roll.autocomplete("dice")
    async def suggest(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest dice to roll, with their faces."""
        table = await find_playing_table(command, GAME)
        if table is None:
            return []
        return suggestions(
            current, table.state.faces, [move.dice for move in table.package.game.legal_moves(table.state)]
        )


def parse_dice(text: str) -> list[int]:
    """Parse dice, such as `1 3 5`, `1,3,5`, `135` or `all`; raise a Refusal for anything else."""
    return list(_DICE) if matches_word(text, "all") else parse_digits(text)


def suggestions(current: str, faces: tuple[int, ...], rolls: list[tuple[int, ...]]) -> list[app_commands.Choice[str]]:
    """Return the rolls that contain the typed dice."""
    word = current.strip().casefold()
    means_all = word != "" and "all".startswith(word)
    typed = set(map(str, _DICE)) if means_all else {character for character in current if character.isdecimal()}
    matching = [dice for dice in rolls if typed <= set(map(str, dice))]
    # All five dice come first, because Discord shows only 25 choices.
    ordered = sorted(matching, key=lambda dice: len(dice) != len(faces))
    return make_choices((_roll_label(dice, faces), " ".join(map(str, dice))) for dice in ordered)


def _roll_label(dice: tuple[int, ...], faces: tuple[int, ...]) -> str:
    pips = " ".join(_PIPS[faces[place - 1] - 1] for place in dice)
    return f"{' '.join(map(str, dice))}   {pips}"


async def setup(client: ParlourClient) -> None:
    """Add the commands to the client."""
    await client.add_cog(Magpie())
