"""The commands for a channel's table, the same for every game."""

from typing import Final

from discord import Member, User, app_commands
from discord.ext import commands

from bot.features.fairness.handlers import DiceProofs
from bot.features.hints.handlers import HintCommands
from bot.features.idle_tables.handlers import IdleTableCommands
from bot.features.invitations.handlers import InvitationCommands
from bot.features.replays.animations import Animations
from bot.features.replays.handlers import Replays
from bot.features.reviews.handlers import Reviews
from bot.platform.discord.client import ParlourInteraction
from bot.platform.discord.ids import MAX_CLOSING_REASON
from bot.tables.app import App, Feature
from bot.tables.handlers.commands import TableCommands
from bot.tables.handlers.lobby import LobbyCommands
from bot.tables.handlers.seats import SeatCommands
from bot.words import gettext as _

MAX_REASON: Final = 200


class TablesCog(commands.GroupCog, group_name="table", group_description=_("The table in this channel")):
    """`/table`: commands that show or close a table, or change its seats."""

    @app_commands.command(name="show", description=_("Bring the table to the end of this channel"))
    async def show(self, command: ParlourInteraction) -> None:
        """Post the table again."""
        await command.client.app.service(TableCommands).show(command)

    @app_commands.command(name="read", description=_("Describe this channel's table in plain words, only for you"))
    async def read(self, command: ParlourInteraction) -> None:
        """Describe the table in words."""
        await command.client.app.service(TableCommands).read(command)

    @app_commands.command(name="news", description=_("Tell what happened lately, only for you"))
    async def news(self, command: ParlourInteraction) -> None:
        """Tell the news of the table."""
        await command.client.app.service(TableCommands).tell(command)

    @app_commands.command(
        name="hint",
        description=_("Show your best moves and their odds, only for you; the game is then unranked"),
    )
    async def hint(self, command: ParlourInteraction) -> None:
        """Give a hint."""
        await command.client.app.service(HintCommands).give_here(command)

    @app_commands.command(name="replay", description=_("Look through a finished game by turns or steps, only for you"))
    @app_commands.describe(table=_("Which game; the newest here if left out"))
    async def replay(self, command: ParlourInteraction, table: app_commands.Range[str, 1, 100] | None = None) -> None:
        """Replay a finished game."""
        await command.client.app.service(Replays).show_here(command, table)

    @replay.autocomplete("table")
    async def suggest_finished(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the finished games of this channel."""
        return await command.client.app.service(Replays).suggestions(command, current)

    @app_commands.command(name="share", description=_("Post the highlights of a finished game as an animation"))
    @app_commands.describe(table=_("Which game; the newest here if left out"))
    async def share(self, command: ParlourInteraction, table: app_commands.Range[str, 1, 100] | None = None) -> None:
        """Post the animation of a finished game."""
        await command.client.app.service(Animations).share(command, table)

    @share.autocomplete("table")
    async def suggest_shareable(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the finished games of this channel."""
        return await command.client.app.service(Replays).suggestions(command, current)

    @app_commands.command(name="review", description=_("Luck and skill in a finished game, only for you"))
    @app_commands.describe(table=_("Which game; the newest here if left out"))
    async def review(self, command: ParlourInteraction, table: app_commands.Range[str, 1, 100] | None = None) -> None:
        """Review a finished game."""
        await command.client.app.service(Reviews).show_here(command, table)

    @review.autocomplete("table")
    async def suggest_reviewable(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the finished games of this channel."""
        return await command.client.app.service(Replays).suggestions(command, current)

    @app_commands.command(name="resume", description=_("Resume a game that was put aside in this channel"))
    @app_commands.describe(table=_("Which game; your newest here if left out"))
    async def resume(self, command: ParlourInteraction, table: app_commands.Range[str, 1, 100] | None = None) -> None:
        """Resume a table."""
        await command.client.app.service(IdleTableCommands).resume_here(command, table)

    @resume.autocomplete("table")
    async def suggest_aside(self, command: ParlourInteraction, current: str) -> list[app_commands.Choice[str]]:
        """Suggest the games that were put aside in this channel."""
        return await command.client.app.service(IdleTableCommands).suggestions(command, current)

    @app_commands.command(name="invite", description=_("Invite someone to this channel's table"))
    @app_commands.describe(person=_("Who to invite; they get a ping, at most once a day from you"))
    async def invite(self, command: ParlourInteraction, person: Member | User) -> None:
        """Invite a person."""
        await command.client.app.service(InvitationCommands).invite(command, person)

    @app_commands.command(
        name="kick", description=_("Remove someone from the table; once it has started, for moderators")
    )
    @app_commands.describe(
        person=_("The player to remove"), reason=_("Why; moderators read it in the log of the server")
    )
    async def kick(
        self,
        command: ParlourInteraction,
        person: Member | User,
        reason: app_commands.Range[str, 0, MAX_REASON] = "",
    ) -> None:
        """Remove a person."""
        await command.client.app.service(LobbyCommands).kick(command, person, reason)

    @app_commands.command(name="resign", description=_("Give up the game in this channel; you'll rank last"))
    async def resign(self, command: ParlourInteraction) -> None:
        """Resign."""
        await command.client.app.service(SeatCommands).ask_to_resign(command)

    @app_commands.command(
        name="substitute", description=_("Let a computer player stand in for an absent player on their turn")
    )
    async def substitute(self, command: ParlourInteraction) -> None:
        """Put a computer player into a seat."""
        await command.client.app.service(SeatCommands).substitute(command)

    @app_commands.command(
        name="back", description=_("Take your seat back from the computer player standing in for you")
    )
    async def back(self, command: ParlourInteraction) -> None:
        """Come back."""
        await command.client.app.service(SeatCommands).come_back(command)

    @app_commands.command(name="undo", description=_("Take back your newest move, if nothing new was revealed"))
    async def undo(self, command: ParlourInteraction) -> None:
        """Take back a move."""
        await command.client.app.service(SeatCommands).take_back(command)

    @app_commands.command(name="cancel", description=_("Close this channel's table without a result"))
    @app_commands.describe(
        person=_("For moderators: whose solo game to close"),
        reason=_("For moderators: why, for the log of the server; it closes at once"),
    )
    async def cancel(
        self,
        command: ParlourInteraction,
        person: Member | User | None = None,
        reason: app_commands.Range[str, 0, MAX_CLOSING_REASON] = "",
    ) -> None:
        """Close the table."""
        await command.client.app.service(TableCommands).cancel(command, person, reason)

    @app_commands.command(name="verify", description=_("Check that this channel's newest table is fair"))
    async def verify(self, command: ParlourInteraction) -> None:
        """Show the commitment or proof of a table's dice."""
        await command.client.app.service(DiceProofs).show_here(command)


def register(_app: App) -> Feature:
    """Register the commands for the table of a channel."""
    return Feature(cogs=(TablesCog(),))
