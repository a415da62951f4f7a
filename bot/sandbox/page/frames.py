"""Frames of the page's websocket: describing the model, and reading fields."""

from collections.abc import Iterable
from typing import TypeVar

from bot.sandbox.model.channels import ServerChannel
from bot.sandbox.model.messages import Message
from bot.sandbox.model.servers import Server
from bot.sandbox.model.threads import Thread
from bot.sandbox.model.world import World
from bot.sandbox.people.person import Person
from bot.sandbox.people.typed_commands import ClientRefusal
from bot.sandbox.wire import Json

T = TypeVar("T")


def describe_person(person: Person) -> Json:
    """Describe a person that the page can act as."""
    user, direct = person.user, person.direct_channel
    return {"id": str(user.id), "name": user.name, "color": user.color, "direct": str(direct.id)}


def describe_servers(person_id: int, world: World) -> list[Json]:
    """Describe a person's servers, with the channels and threads that they see."""
    return [
        _describe_server(server, person_id, world) for server in world.servers.values() if server.has_member(person_id)
    ]


def _describe_server(server: Server, person_id: int, world: World) -> Json:
    threads = [thread for thread in world.threads.values() if thread.visible_to(person_id)]
    channels = [_describe_channel(each, threads) for each in server.channels if each.visible_to(person_id)]
    roles = [{"id": str(role.id), "name": role.name} for role in server.roles.values()]
    return {"id": str(server.id), "name": server.name, "roles": roles, "channels": channels}


def _describe_channel(channel: ServerChannel, threads: Iterable[Thread]) -> Json:
    children = [_describe_thread(thread) for thread in threads if thread.parent is channel]
    return {"id": str(channel.id), "name": channel.name, "type": 0, "threads": children}


def _describe_thread(thread: Thread) -> Json:
    state = {"archived": thread.is_archived, "locked": thread.is_locked}
    return {"id": str(thread.id), "name": thread.name, "type": int(thread.kind), **state}


def describe_message(message: Message) -> Json:
    """Describe a message."""
    return {**message.payload(), "ephemeral": message.ephemeral_to is not None}


def require_field(frame: Json, name: str, kind: type[T]) -> T:
    """Return a field of a frame; raise ClientRefusal if it has another type."""
    value = frame.get(name)
    if not isinstance(value, kind):
        raise ClientRefusal(f"The sandbox did not understand this: {name}.")
    return value
