"""Plays games by buttons and menus."""

from random import Random
from typing import Final

from bot.sandbox import Message
from bot.sandbox.model.messages import ButtonStyle
from tests.golden.scene import Scene

_USUAL_STYLES: Final = (ButtonStyle.SUCCESS, ButtonStyle.PRIMARY)
_MOST_TRIES: Final = 3
"""After so many clicks without a move anything is pressed."""


async def make_moves(scene: Scene, table: Message, moves: int = 400, *, seed: int = 1) -> None:
    """Make moves by buttons and menus."""
    tries, chance = 0, Random(seed)
    while moves:
        at, press = table, _next_press(table, tries, chance)
        if press is None and any(button.label == "My hand" for button in table.buttons):
            # The turn needs a hand.
            (at,) = (await scene.press(scene.mover(table), table, "My hand")).replies
            press = _next_press(at, tries, chance)
        if press is None:
            return
        before, (custom_id, value) = step_of(table), press
        who = scene.mover(table)
        await (scene.choose(who, at, custom_id, value) if value else scene.click(who, at, custom_id))
        tries = tries + 1 if step_of(table) == before else 0
        moves -= not tries


def _next_press(table: Message, tries: int, chance: Random) -> tuple[str, str] | None:
    """Return the id of a button, or of a menu with a value; None if the game is over.

    What is recommended comes first, then what plays the picked pieces, then anything that is offered.
    """
    shown = [button for button in table.buttons if (button.custom_id or "").startswith(("t:", "w:t:"))]
    buttons = [button for button in shown if not button.disabled]
    usual = [button for style in _USUAL_STYLES for button in reversed(buttons) if button.style is style]
    if usual and tries < _MOST_TRIES:
        return usual[0].custom_id or "", ""
    menus = [menu for menu in table.selects if menu.custom_id.startswith(("m:", "w:m:")) and not menu.disabled]
    offered = [(menu.custom_id, option["value"]) for menu in menus for option in menu.options]
    offered += [(button.custom_id or "", "") for button in reversed(buttons)]
    return chance.choice((offered[0], *offered)) if offered else None


def step_of(table: Message) -> str:
    """Return the step of a table, by the ids of its buttons."""
    ids = (button.custom_id or "" for button in table.buttons)
    return next((custom_id.split(":")[2] for custom_id in ids if custom_id[:2] in ("t:", "u:")), "")
