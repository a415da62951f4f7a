"""Inviting people and choosing options, through the sandbox."""

from typing import Any

from bot.games.magpie.pieces import MagpieOptions
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from tests.support.parlour import Parlour, button_id


def menu(panel: Message, label: str) -> str:
    """Return the id of the menu of an option."""
    (found,) = (select.custom_id for select in panel.selects if label in _chosen_value(panel, select.custom_id))
    return found


def _chosen_value(panel: Message, custom_id: str) -> str:
    raw = next(leaf for leaf in panel.iter_components() if leaf.get("custom_id") == custom_id)
    return str(next(option["label"] for option in raw["options"] if option.get("default")))


def posted_messages(parlour: Parlour) -> list[Any]:
    """What the bot has posted on its own account."""
    posted = [each for each in parlour.sandbox.requests if each.method == "POST" and each.path.endswith("/messages")]
    return [each.json for each in posted]


class TestInvitations:
    async def test_a_guest_is_mentioned_once_and_alone(self, parlour: Parlour) -> None:
        lobby = await parlour.open_table(parlour.robin, target=250)
        answer = await parlour.robin.slash(parlour.here, "table invite", person=parlour.wren.id)
        assert answer.ephemeral
        assert "Wren is invited" in answer.text
        (asked,) = [message for message in parlour.here.messages if "invites you" in message.content]
        assert f"<@{parlour.wren.id}>, Robin invites you to a game of Magpie (first to 250)." in asked.content
        assert f"/{parlour.here.id}/{lobby.id}" in asked.content
        (sent,) = posted_messages(parlour)
        assert sent["allowed_mentions"] == {"parse": [], "users": [str(parlour.wren.id)]}

        again = await parlour.robin.slash(parlour.here, "table invite", person=parlour.wren.id)
        assert "once is the limit" in again.text
        assert len(posted_messages(parlour)) == 1
        await parlour.press(parlour.wren, lobby, "Join")
        await parlour.sandbox.until(lambda: "Wren" in lobby.text)
        seated = await parlour.wren.slash(parlour.here, "table invite", person=parlour.robin.id)
        assert "already have a seat" in seated.text

    async def test_an_invitation_is_deleted_when_the_guest_joins_or_the_game_starts(self, parlour: Parlour) -> None:
        lobby = await parlour.open_table(parlour.robin)
        for guest in (parlour.wren, parlour.jay):
            await parlour.robin.slash(parlour.here, "table invite", person=guest.id)
        to_wren, to_jay = (message for message in parlour.here.messages if "invites you" in message.content)
        refused = await parlour.jay.click(to_wren, button_id(to_wren, "Join"))
        assert "for someone else" in refused.text
        await parlour.wren.click(to_wren, button_id(to_wren, "Join"))
        await parlour.sandbox.until(lambda: to_wren.deleted and "Wren" in lobby.text)
        assert not to_jay.deleted
        await parlour.press(parlour.robin, lobby, "Start")
        await parlour.sandbox.until(lambda: to_jay.deleted)


class TestOptions:
    async def panel(self, parlour: Parlour, who: Person, lobby: Message) -> Message:
        answer = await who.click(lobby, button_id(lobby, "Options"))
        assert answer.ephemeral
        return answer.replies[0]

    async def test_a_chosen_option_is_shown_and_played_with(self, parlour: Parlour) -> None:
        lobby = await parlour.open_table(parlour.robin)
        assert "Target: 100 · Double big rolls: off" in lobby.text
        assert "about 10 minutes" in lobby.text
        await parlour.press(parlour.wren, lobby, "Join")
        panel = await self.panel(parlour, parlour.robin, lobby)
        answer = await parlour.robin.select(panel, menu(panel, "Target"), ["250"])
        assert not answer.replies
        assert _chosen_value(panel, panel.selects[0].custom_id or "") == "Target: 250"
        await parlour.robin.select(panel, menu(panel, "Double big rolls"), ["true"])
        await parlour.sandbox.until(lambda: "Target: **250** · Double big rolls: **on**" in lobby.text)

        await parlour.press(parlour.robin, lobby, "Start")
        await parlour.sandbox.until(lambda: "to roll" in lobby.text)
        table = await parlour.table()
        assert table.state.options == MagpieOptions(target=250, double_big_rolls=True)
        # The panel is of no more use.
        await parlour.sandbox.until(lambda: panel not in parlour.robin.visible_messages(parlour.here))
