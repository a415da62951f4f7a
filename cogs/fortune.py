"""The commands of Fortune."""

from functools import partial

from discord import app_commands
from discord.ext import commands

from bot.platform.discord.client import ParlourClient, ParlourInteraction
from bot.platform.discord.menus import make_choices
from bot.tables.handlers.commands import TableCommands, legal_move_texts, matches_word, parse_digits, suggest
from bot.tables.table import Table
from bot.words import gettext as _

GAME = "fortune"
_DICE = range(1, 9)
_FACE_EMOJIS = "💀🐵🦜⚔🪙💎"
_ALL = "all"
_NONE = "none"

DiceText = app_commands.Range[str, 1, 40]
TextChoice = app_commands.Choice[str]


class Fortune(commands.GroupCog, group_name="fortune", group_description=_("Fortune: dice, cards and three skulls")):
    """The moves of `/fortune`; `new` is generated from the options."""

    @app_commands.command(name="roll", description=_("Roll dice that aren't skulls"))
    @app_commands.describe(
        # Translators: `all` is typed.
        dice=_("Which dice, from the left: 1 3 5, for example; all rolls every die without a skull"),
        # Translators: `none` is typed.
        chest=_("With a Treasure Chest: dice to put in it, such as 2 4, or none; all you keep if left out"),
    )
    async def roll(self, command: ParlourInteraction, dice: DiceText, chest: DiceText = _ALL) -> None:
        """Roll dice."""
        await command.client.app.service(TableCommands).play(
            command, GAME, lambda table: parse_roll(dice, chest, table)
        )

    @app_commands.command(name="sorceress", description=_("Have the Sorceress free a skull, and roll it"))
    @app_commands.describe(die=_("The skull to free"), dice=_("Other dice to roll with it, such as 1 3 5"))
    async def sorceress(
        self, command: ParlourInteraction, die: app_commands.Range[int, 1, 8], dice: DiceText | None = None
    ) -> None:
        """Re-roll a skull with the Sorceress."""
        others = f" with {_join_places(parse_digits(dice))}" if dice else ""
        await command.client.app.service(TableCommands).play(command, GAME, f"sorceress {die}{others}")

    @app_commands.command(name="stop", description=_("End your turn"))
    async def stop(self, command: ParlourInteraction) -> None:
        """End the turn."""
        await command.client.app.service(TableCommands).play(command, GAME, "stop")

    @roll.autocomplete("dice")
    async def suggest_dice(self, command: ParlourInteraction, current: str) -> list[TextChoice]:
        """Suggest dice to roll, with their faces."""
        return await suggest(command, GAME, partial(roll_suggestions, current))

    @sorceress.autocomplete("die")
    async def suggest_skull(self, command: ParlourInteraction, current: object) -> list[app_commands.Choice[int]]:
        """Suggest the skulls that can be re-rolled; there are three at most, so the typed text is ignored."""
        return await suggest(command, GAME, skull_suggestions)


def parse_roll(dice: str, chest: str, table: Table) -> str:
    """Parse a roll; without a running game, `all` means all eight dice."""
    turn = table.state and table.state.turn
    free = turn.free if turn else _DICE
    to_roll = list(free) if matches_word(dice, _ALL) else parse_digits(dice)
    move = f"roll {_join_places(to_roll)}"
    if matches_word(chest, _ALL):
        has_chest = turn and turn.faces and turn.card.kind == "treasure-chest" and not turn.island
        to_chest = [place for place in free if place not in to_roll] if has_chest else []
    else:
        to_chest = [] if matches_word(chest, _NONE) else parse_digits(chest)
    return f"{move} chest {_join_places(to_chest)}" if to_chest else move


def _join_places(places: list[int]) -> str:
    return " ".join(map(str, places))


def roll_suggestions(current: str, table: Table) -> list[TextChoice]:
    """Return the legal rolls that contain the typed dice, most dice first."""
    typed = {character for character in current if character.isdecimal()}
    faces, free = table.state.turn.faces, set(map(str, table.state.turn.free))
    rolls = dict.fromkeys(
        words[5:].split(" chest ")[0] for words in legal_move_texts(table) if words.startswith("roll")
    )
    required = free if current.strip() and _ALL.startswith(current.strip().casefold()) else typed
    return make_choices(
        (_roll_label(places, faces), places) for places in reversed(rolls) if required <= set(places.split())
    )


def _roll_label(places: str, faces: tuple[int, ...]) -> str:
    emojis = "".join(_FACE_EMOJIS[faces[int(place) - 1]] for place in places.split()) if faces else _("all eight")
    return f"{places}   {emojis}"


def skull_suggestions(table: Table) -> list[app_commands.Choice[int]]:
    """Return the skulls that the Sorceress can re-roll."""
    words = (move.split() for move in legal_move_texts(table))
    places = dict.fromkeys(int(parts[1]) for parts in words if parts[0] == "sorceress")
    return make_choices((_("die {die}").format(die=place), place) for place in places)


async def setup(client: ParlourClient) -> None:
    """Add the commands to the client."""
    await client.add_cog(Fortune())
