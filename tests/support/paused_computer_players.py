"""Computer players who think for as long as a test likes."""

import threading

from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import Message
from tests.support.parlour import ROLL, Parlour
from tests.support.waiting import DEADLINE_SECONDS


class ComputerPlayerPause:
    """Holds computer players back; at first they may move at once."""

    def __init__(self) -> None:
        self._free = threading.Event()
        self._free.set()

    def pause(self) -> None:
        """Let the next computer player continue."""
        self._free.clear()

    def resume(self) -> None:
        """Let everyone move."""
        self._free.set()

    def wait(self) -> None:
        """Wait, in a thread, until the thinking ends."""
        assert self._free.wait(DEADLINE_SECONDS)


async def start_against_paused_computer(parlour: Parlour, thinking: ComputerPlayerPause, place: Channel) -> Message:
    """Let Robin play against a computer player, and move, so that it is next and thinks."""
    (message,) = (await parlour.robin.slash(place, "magpie new")).replies
    await parlour.press(parlour.robin, message, "Start with Rusty")
    await parlour.sandbox.until(lambda: "Robin, roll" in message.text)
    await parlour.wait_until_shown()
    thinking.pause()
    await parlour.press(parlour.robin, message, ROLL)
    await parlour.sandbox.until(lambda: "Rusty is rolling" in message.text)
    await parlour.wait_until_shown()
    return message
