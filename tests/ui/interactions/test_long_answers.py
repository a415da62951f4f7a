"""What takes long does not hold up the other clicks of whoever asks for it."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.features.hints.handlers import HintCommands
from bot.features.hints.messages import ShowHintId
from bot.features.privacy.commands import PrivacyCommands
from bot.features.privacy.messages import PrivacyButton, PrivacyId
from bot.features.replays.animations import Animations
from bot.features.reviews.handlers import Reviews
from bot.platform.discord.answers import note_place
from bot.platform.discord.refusals import ClickReason
from bot.rules.refusals import Refusal
from tests.support.fakes import ROBIN, WREN, mover_of, start_game
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import make_click, make_command
from tests.ui.table_clicks import finish_shown_game

Asking = Callable[[Adapter], Awaitable[Any]]


class NoPlaceBeside:
    """The place of an interaction whose user has two that take long."""

    def __init__(self) -> None:
        self.asked = 0

    def leave(self) -> bool:
        self.asked += 1
        return False


async def review(adapter: Adapter) -> Any:
    command: Any = make_command(ROBIN)
    table = await finish_shown_game(adapter)
    return command, adapter.app.service(Reviews).show_here(command, str(table.id))


async def animation(adapter: Adapter) -> Any:
    command: Any = make_command(ROBIN)
    table = await finish_shown_game(adapter)
    return command, adapter.app.service(Animations).share(command, str(table.id))


async def export(adapter: Adapter) -> Any:
    click: Any = make_click(ROBIN, "")
    return click, adapter.app.service(PrivacyCommands).press(click, PrivacyId(PrivacyButton.EXPORT))


async def hint(adapter: Adapter) -> Any:
    table = await start_game(adapter.service, ROBIN, WREN)
    click: Any = make_click(mover_of(table), "")
    return click, adapter.app.service(HintCommands).press(click, table, ShowHintId(table.id, table.header.step))


@pytest.mark.parametrize("asking", [review, animation, export, hint])
async def test_it_needs_a_place_beside_the_clicks(
    adapter: Adapter, asking: Callable[[Adapter], Awaitable[Any]]
) -> None:
    interaction, answering = await asking(adapter)
    place: Any = NoPlaceBeside()
    note_place(interaction, place)
    with pytest.raises(Refusal) as refused:
        await answering
    assert refused.value.reason is ClickReason.TOO_MANY_LONG_ANSWERS
    assert place.asked == 1
