"""Open hands of Change whose cards change meanwhile, through the sandbox."""

from bot.games.change.pieces import Stage
from bot.sandbox.model.messages import Message
from tests.e2e.change.change_table import ChangeTable
from tests.games.change.positions import at
from tests.support.parlour import Parlour, button_id

MARKED = "Your hand has changed."


async def wait_until_marked(parlour: Parlour, hand: Message) -> None:
    """Wait until a hand is marked, and demand that it is a hand again after its only button was pressed."""
    await parlour.sandbox.until(lambda: hand.text == MARKED)
    assert [button.label for button in hand.buttons] == ["Look again"]
    assert hand.attachments == ()
    await parlour.robin.click(hand, button_id(hand, "Look again"))
    assert "cards" in hand.text
    assert MARKED not in hand.text


async def test_a_card_played_by_command_marks_the_hand_as_outdated(game: ChangeTable) -> None:
    parlour = game.parlour
    await game.set_position(at("120@3", "120@0", hands=["greed add-1", "fear"], stage=Stage.FREE))
    (hand,) = (await parlour.robin.slash(parlour.here, "change hand")).replies
    (other,) = (await parlour.wren.slash(parlour.here, "change hand")).replies
    before = other.text
    await parlour.robin.slash(parlour.here, "change card", play="greed place")
    await wait_until_marked(parlour, hand)
    assert other.text == before
