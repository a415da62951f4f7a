"""A hand of Change says what can be played now, or why nothing can, and is highlighted when the turn waits for it."""

from random import Random
from typing import Any

from bot.games.change.facts import can_play, hand_advice
from bot.games.change.hand_screen import build_hand_screen
from bot.games.change.pieces import Stage, State
from bot.games.change.screen import build_screen
from bot.games.change.words import card_name
from bot.rules.chance import FastChance
from bot.rules.screen import EMPTY_DRAFT, Screen, Tone
from bot.tools.showcase_search import play_through
from tests.games.change.hidden import redeal_hidden
from tests.games.change.positions import GAME, at
from tests.support.each_case import each_case
from tests.support.games import load_games_once

NAMES = ("Robin", "Wren", "Jay", "Linnet")
CHANGE = load_games_once()["change"]


def draw_table(state: State) -> Screen:
    return build_screen(GAME.view(state, None), (), NAMES[: len(state.hands)], EMPTY_DRAFT)


def draw_hand(state: State, seat: int = 0) -> Screen:
    return build_hand_screen(GAME.view(state, seat), (), NAMES[: len(state.hands)], EMPTY_DRAFT)


class TestHand:
    @each_case(
        "hand, more, sentence",
        [
            ("add-1 greed", {}, "You can play Greed, one at a time."),
            ("add-1 greed any", {}, "You can play Greed and Any space, one at a time."),
            ("add-1 greed", {"challenge": True}, "That gives up the challenge"),
            ("add-1 greed", {"missing": 2, "travel": False}, "You can play Add 1, one at a time."),
            ("add-1", {}, "You can't play any card right now. Add cards only help after a failed challenge"),
            ("replace-1", {}, "You can't play any card right now. A Replace card needs another card"),
            ("greed", {"travel": False}, "You can't play any card right now. You've already used this turn's move"),
            ("greed any", {"travel": False}, "right now. You've already used this turn's move to another space."),
        ],
    )
    def test_the_hand_lists_playable_cards_or_says_why_there_are_none(
        self, hand: str, more: dict[str, Any], sentence: str
    ) -> None:
        assert sentence in draw_hand(at("120@5", "120@0", hands=[hand], stage=Stage.FREE, **more)).text

    @each_case(
        "state, seat, sentence",
        [
            (at("120@5", "120@0", hands=["any"]), 0, "roll the track dice first"),
            (at("120@3", "120@0", hands=["any"], stage=Stage.CORNER), 0, "choose at the table first"),
            (at("120@5", "120@0", hands=["any", "any"]), 1, "Wait for your turn"),
            (
                at("120@19", "120@0 greed", hands=["any"], stage=Stage.RETURN, asked=[1]),
                0,
                "someone else decides",
            ),
        ],
    )
    def test_a_hand_that_must_wait_says_what_for(self, state: State, seat: int, sentence: str) -> None:
        text = draw_hand(state, seat).text
        assert "You can't play" in text or "Wait for your turn" in text
        assert sentence in text

    def test_cards_listed_as_playable_are_legal(self) -> None:
        """CH-M2 to CH-M4 and CH-7, at every position of a few games."""
        said = set()
        for number in range(3):
            for moment in play_through(CHANGE, CHANGE.game.info.options(), 3, number):
                public, board = moment.state.public, moment.state.public.board
                if public.stage is not Stage.FREE:
                    continue
                view = GAME.view(moment.state, public.mover)
                used = {getattr(move, "card", None) for move in GAME.legal_moves(moment.state)}
                playable = [card for card in dict.fromkeys(view.hand) if board.cards[card].key in used]
                text = hand_advice(view)
                assert [card for card in dict.fromkeys(view.hand) if can_play(view, card)] == playable
                assert ("You can play" in text) is bool(playable)
                assert all(card_name(board, card) in text for card in playable)
                said.add((bool(view.hand), bool(playable)))
        assert said == {(False, False), (True, False), (True, True)}

    def test_after_the_option_move_no_space_card_is_offered(self) -> None:
        """CH-M4: nor a marker to place with one."""
        state = at("120@5", "120@0", hands=["denial any"], stage=Stage.FREE, travel=False)
        assert list(draw_hand(state).iter_controls()) == []

    def test_nothing_is_offered_out_of_turn(self) -> None:
        state = at("120@5", "120@0", hands=["any", "greed"], stage=Stage.FREE)
        assert list(draw_hand(state, 1).iter_controls()) == []
        assert "Wait for your turn" in draw_hand(state, 1).text


class TestWaitsForHand:
    @each_case(
        "state, waits",
        [
            (at("120@4", "120@0", stage=Stage.SWAP, hands=["add-1 any"]), True),
            (at("120@22", "120@0", stage=Stage.KEEP, hands=["add-1 any"]), True),
            (at("120@5", "120@0", stage=Stage.FREE, missing=2, hands=["greed"]), True),
            (at("120@5", "120@0", stage=Stage.FREE, travel=False, hands=["add-1 greed"]), True),
            (at("120@5", "120@0", stage=Stage.FREE, travel=False, hands=["replace-1"]), False),
            (at("120@5", "120@0", stage=Stage.FREE, travel=False, missing=2, hands=["add-1"]), True),
            (at("120@5", "120@0", stage=Stage.FREE, missing=2), False),
            (at("120@5", "120@0", stage=Stage.FREE, hands=["any"]), False),
            (at("120@5", "120@0", stage=Stage.FREE, travel=False, challenge=True, hands=["any"]), False),
            (at("120@5", "120@0", hands=["any"]), False),
            (at("120@3", "120@0", hands=["any"], stage=Stage.CORNER), False),
        ],
    )
    def test_the_turn_waits_for_a_card(self, state: State, waits: bool) -> None:
        assert draw_table(state).waits_for_hand is waits

    def test_a_single_unplayable_card_leaves_only_ending_the_turn(self) -> None:
        """CH-7, CH-M3 and CH-M4: it neither helps a challenge, nor replaces another, nor leads to a space any more."""
        screen = draw_table(at("120@5", "120@0", stage=Stage.FREE, travel=False, hands=["add-1"]))
        assert "play cards" not in screen.text
        assert [each.key for each in screen.iter_controls() if each.tone is Tone.MAIN] == ["done"]

    def test_cards_known_to_be_unplayable_are_not_waited_for(self) -> None:
        """CH-M2 to CH-M4 and CH-7, at every position of a few games."""
        seen = set()
        for number in range(3):
            for moment in play_through(CHANGE, CHANGE.game.info.options(), 3, number):
                public = moment.state.public
                if public.stage is Stage.FREE:
                    playable = any(hasattr(move, "card") for move in GAME.legal_moves(moment.state))
                    assert public.may_play_cards or not playable
                    seen.add((public.may_play_cards, playable))
        assert seen == {(True, True), (True, False), (False, False)}

    def test_whether_the_turn_waits_depends_on_the_number_of_cards_only(self) -> None:
        """CH-M1: the table does not reveal whether a player holds a card that helps."""
        chance, seen = FastChance(Random(1)), set()
        for moment in play_through(CHANGE, CHANGE.game.info.options(), 3, 0):
            waits = draw_table(moment.state).waits_for_hand
            seen.add(waits)
            for _ in range(3):
                assert draw_table(redeal_hidden(moment.state, None, chance)).waits_for_hand is waits
        assert seen == {True, False}


class TestPublicPrompts:
    @each_case("hand, missing, helps", [("", 2, False), ("any", 5, True), ("any", 6, False), ("any any", 10, True)])
    def test_add_cards_are_mentioned_if_as_many_cards_can_help(self, hand: str, missing: int, helps: bool) -> None:
        """CH-7, CH-M1: the best are two of 5 points; which cards are held stays secret."""
        screen = draw_table(at("120@5", "120@0", hands=[hand], stage=Stage.FREE, missing=missing))
        for text in (screen.text, screen.summary or ""):
            assert f"**{missing}** short." in text
            assert ("Add cards" in text) is helps

    @each_case("cards, offers", [("", False), ("add-1", True)])
    def test_playing_cards_is_not_mentioned_to_an_empty_hand(self, cards: str, offers: bool) -> None:
        screen = draw_table(at("120@3", "120@0", hands=[cards], stage=Stage.FREE))
        assert ("play cards" in screen.text) is offers
        over = draw_table(at("120@3", "120@0", stage=Stage.FREE, travel=False))
        assert over.text.endswith("\n👉 Nothing left to do.")
