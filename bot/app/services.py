"""What a client serves interactions with, and what it sends requests with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from discord.app_commands import CommandTree
from discord.ext.commands import Cog

from bot.app.error_replies import ErrorReplies
from bot.app.features import Features
from bot.app.notices import Notices
from bot.platform.discord.callbacks import HttpCallbackClient
from bot.platform.discord.dispatch import Dispatcher
from bot.platform.discord.limits import RateLimiter
from bot.platform.discord.message_client import MessageClient
from bot.platform.discord.picture_attachments import PictureAttacher
from bot.platform.jobs.jobs import JobRunner
from bot.platform.jobs.looks import Chores
from bot.tables.host import Host


@dataclass(frozen=True, slots=True)
class Services:
    """The host of the tables and everything that interactions need."""

    host: Host
    features: Features
    dispatcher: Dispatcher
    error_replies: ErrorReplies
    pictures: PictureAttacher
    jobs: JobRunner
    cogs: Sequence[Cog]
    """The slash commands of the features."""
    add_commands: Callable[[CommandTree[Any]], None]
    """Adds the commands that are built from the games."""
    notices: Notices
    chores: Chores


@dataclass(frozen=True, slots=True)
class DiscordRequests:
    """What sends requests to Discord: with the bot's token, and as responses to interactions."""

    limits: RateLimiter
    messages: MessageClient
    callbacks: HttpCallbackClient
