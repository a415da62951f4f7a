"""What a client serves interactions with, and what it sends requests with."""

from dataclasses import dataclass

from bot.community.jobs import JobRunner
from bot.tables.runtime.host import Host
from bot.ui.delivery.message_client import MessageClient
from bot.ui.delivery.picture_attachments import PictureAttacher
from bot.ui.delivery.rate_limits import RateLimiter
from bot.ui.dispatcher import Dispatcher
from bot.ui.features.features import Features
from bot.ui.interactions.callback_client import HttpCallbackClient
from bot.ui.interactions.error_replies import ErrorReplies


@dataclass(frozen=True, slots=True)
class Services:
    """The host of the tables and everything that interactions need."""

    host: Host
    features: Features
    dispatcher: Dispatcher
    error_replies: ErrorReplies
    pictures: PictureAttacher
    jobs: JobRunner


@dataclass(frozen=True, slots=True)
class DiscordRequests:
    """What sends requests to Discord: with the bot's token, and as responses to interactions."""

    limits: RateLimiter
    messages: MessageClient
    callbacks: HttpCallbackClient
