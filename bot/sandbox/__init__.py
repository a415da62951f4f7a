"""A local stand-in for Discord: REST and gateway for a bot, a web page and a Python API for people."""

from bot.sandbox.model.channels import Channel, DirectChannel, PeopleChannel, ServerChannel, Thread
from bot.sandbox.model.interactions import Interaction, InteractionState
from bot.sandbox.model.messages import Button, Message
from bot.sandbox.page.trouble import EndMode
from bot.sandbox.people.person import Choice, Person
from bot.sandbox.people.typed_commands import ClientRefusal
from bot.sandbox.rest.rates import DISCORD, Rate, Rates
from bot.sandbox.server import Sandbox

__all__ = [
    "DISCORD",
    "Button",
    "Channel",
    "Choice",
    "ClientRefusal",
    "DirectChannel",
    "EndMode",
    "Interaction",
    "InteractionState",
    "Message",
    "PeopleChannel",
    "Person",
    "Rate",
    "Rates",
    "Sandbox",
    "ServerChannel",
    "Thread",
]
