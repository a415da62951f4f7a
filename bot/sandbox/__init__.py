"""A local stand-in for Discord: REST and gateway for a bot, a web page and a Python API for people."""

from bot.sandbox.channels import Channel, DirectChannel, ServerChannel
from bot.sandbox.interactions import Interaction, InteractionState
from bot.sandbox.messages import Button, Message
from bot.sandbox.options import Refusal
from bot.sandbox.page_trouble import Ending
from bot.sandbox.people import Choice, Person
from bot.sandbox.rates import DISCORD, Rate, Rates
from bot.sandbox.server import Sandbox
from bot.sandbox.threads import Thread

__all__ = [
    "DISCORD",
    "Button",
    "Channel",
    "Choice",
    "DirectChannel",
    "Ending",
    "Interaction",
    "InteractionState",
    "Message",
    "Person",
    "Rate",
    "Rates",
    "Refusal",
    "Sandbox",
    "ServerChannel",
    "Thread",
]
