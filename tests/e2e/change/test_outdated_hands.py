"""Hands that stand there while their seats' cards change, through the sandbox."""

from bot.games.change.pieces import Stage
from bot.sandbox.model.messages import Message
from tests.e2e.change.game import Game
from tests.games.change.positions import at
from tests.support.parlour import Parlour, id_of

MARKED = "Your hand has changed."


async def marked(parlour: Parlour, hand: Message) -> None:
    """Wait until a hand is marked, and demand that it is a hand again after its only button was pressed."""
    await parlour.sandbox.until(lambda: hand.text == MARKED)
    assert [button.label for button in hand.buttons] == ["Look again"]
    assert hand.attachments == ()
    await parlour.robin.click(hand, id_of(hand, "Look again"))
    assert "cards" in hand.text
    assert MARKED not in hand.text


async def test_a_card_that_is_played_by_a_command_marks_the_hand(game: Game) -> None:
    parlour = game.parlour
    await game.at(at("120@3", "120@0", hands=["greed add-1", "fear"], stage=Stage.FREE))
    (hand,) = (await parlour.robin.slash(parlour.here, "change hand")).replies
    (other,) = (await parlour.wren.slash(parlour.here, "change hand")).replies
    before = other.text
    await parlour.robin.slash(parlour.here, "change card", play="greed place")
    await marked(parlour, hand)
    assert other.text == before


async def test_what_a_substitute_does_with_somebody_s_cards_marks_their_hand(game: Game) -> None:
    parlour = game.parlour
    await game.at(at("120@4", "120@0", hands=["add-1 greed", "fear"], top="worry", stage=Stage.SWAP))
    (hand,) = (await parlour.robin.slash(parlour.here, "change hand")).replies
    parlour.later(minutes=3)
    await parlour.wren.slash(parlour.here, "table substitute")
    await marked(parlour, hand)
