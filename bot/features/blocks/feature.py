"""Registers blocks."""

from bot.features.blocks.commands import BlockCog, BlockCommands, UnblockId
from bot.features.blocks.service import BLOCK_ERROR_MESSAGES, Blocks
from bot.features.blocks.storage import check_seats
from bot.tables.app import App, Feature
from bot.tables.events import Happened, Hook


def register(app: App) -> Feature:
    """Register blocks."""
    blocks = Blocks(app.db, app.clock)
    commands = BlockCommands(blocks)
    return Feature(
        services=(blocks, commands),
        cogs=(BlockCog(),),
        buttons={UnblockId: lambda click, _: commands.unblock_chosen(click)},
        refusals=(BLOCK_ERROR_MESSAGES,),
        hooks=(Hook(Happened.OPENED | Happened.SEATED, check=check_seats),),
    )
