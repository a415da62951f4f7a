"""The slash commands with their options, as Discord is told of them."""

from collections.abc import Iterator

from bot.sandbox.model.application import BRANCH_TYPES, OptionType
from bot.sandbox.wire import Json
from tests.golden.message_text import rest_of
from tests.golden.scene import Scene, play_scenes

_SHOWN = {"name", "description", "options", "type", "required", "id", "application_id", "version", "guild_id"}


def slash_commands() -> str:
    """Return a paragraph for each command."""
    return play_scenes(_list)


async def _list(scene: Scene) -> None:
    for command in sorted(scene.parlour.sandbox.world.commands_in(scene.here.server), key=lambda each: each["name"]):
        scene.notes.append("".join(f"{line}\n" for line in _lines_of(command, "/")))


def _lines_of(node: Json, start: str) -> Iterator[str]:
    yield f"{start}{node['name']}: {node['description']} {rest_of(node, _SHOWN)}".rstrip()
    for option in node.get("options", ()):
        if option["type"] in BRANCH_TYPES:
            yield from _lines_of(option, f"{start}{node['name']} ")
        else:
            kind = f"{OptionType(option['type']).name.lower()}{', required' * bool(option.get('required'))}"
            yield f"    {option['name']} ({kind}): {option['description']} {rest_of(option, _SHOWN)}".rstrip()
