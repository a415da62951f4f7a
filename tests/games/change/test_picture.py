"""What Change's pictures show of a turn and of the seats, in the middle of the board and in a hand."""

from collections.abc import Sequence

from bot.games.change.board import SPACE_COUNT
from bot.games.change.picture.board import MIDDLE, space_area
from bot.games.change.picture.composition import build_hand_picture
from bot.games.change.pieces import CardPlayed, CardsSeen, Challenged, GameEvent, Moved, Stage, State
from bot.rules.picture import Box, ColourRole, Label, Picture, Rect
from tests.games.change.pictures import draw_table, filled_boxes, sprites, texts, within
from tests.games.change.positions import BOARD, GAME, WITH_SETS, at, cards, legal, play_step
from tests.support.each_case import each_case
from tests.support.picture_checks import faces_of_dice, find_flaws


def draw_after(state: State, move: str, dice: str = "") -> Picture:
    return draw_table(*play_step(state, move, dice))


def draw_hand(state: State, events: Sequence[GameEvent] = ()) -> Picture:
    drawn = build_hand_picture(GAME.view(state, 0), events)
    assert list(find_flaws(drawn)) == []
    return drawn


def framed_spaces(drawn: Picture) -> list[str]:
    """Return the spaces in a frame that says where one can go."""
    frames = [mark.at for mark in drawn.marks if isinstance(mark, Box) and mark.border is ColourRole.MARK]
    return [
        BOARD.spaces[space].name for space in range(SPACE_COUNT) if any(at.contains(space_area(space)) for at in frames)
    ]


def row(drawn: Picture, seat: int) -> list[str]:
    """Return what is written beside the token of a seat, from the left."""
    (token,) = [
        mark for mark in sprites(drawn.marks, f"token-{seat + 1}") if mark.at.x == MIDDLE.x + 8 and mark.at.width == 44
    ]
    room = Rect(token.at.right, token.at.y - 8, MIDDLE.right - token.at.right, 60)
    found = [mark for mark in within(drawn, room) if isinstance(mark, Label)]
    return [label.text for label in sorted(found, key=lambda label: label.at.x)]


class TestTurn:
    @each_case(
        "state",
        [
            at("120@0 greed", "120@0"),
            at("120@6 greed", "120@0", stage=Stage.FREE, challenge=False),
            at("120@5 greed", "120@0", stage=Stage.FREE, challenge=True),
            at("120@5 greed", "120@0", stage=Stage.FREE, travel=False, hands=["add-1"], missing=1),
            at("120@19 greed fear", "120@0", stage=Stage.RETURN, draws=0),
            at("120@28 greed fear", "120@0", stage=Stage.PLACE),
        ],
    )
    def test_spaces_are_framed_that_a_move_leads_to_or_whose_challenge_is_open(self, state: State) -> None:
        """CH-6, CH-8, CH-C5 and CH-C8."""
        ways = [move.split()[1] for move in legal(state) if move.startswith(("option ", "choose "))]
        here = [BOARD.keys[state.public.ragz_spaces[0]]] if "challenge" in legal(state) else []
        assert sorted(name.lower() for name in framed_spaces(draw_table(state))) == sorted((*ways, *here))

    @each_case(
        "state, words",
        [
            (at("120@0", "120@0"), "roll the dice"),
            (at("120@5", "120@0", stage=Stage.FREE, challenge=True), "challenge, move, end"),
            (at("120@5", "120@0", stage=Stage.FREE, missing=2, hands=["add-1"]), "2 short: move, cards, end"),
            (at("120@3", "120@0", stage=Stage.CORNER), "you, or others?"),
            (at("120@4", "120@0", stage=Stage.SWAP, hands=["add-1 any"]), "replace a card"),
            (at("120@22", "120@0", stage=Stage.KEEP, hands=["add-1 any"]), "keep one card"),
        ],
    )
    def test_the_possible_moves_are_written(self, state: State, words: str) -> None:
        assert words in texts(draw_table(state).marks)

    def test_ch_c0_the_seat_that_decides_is_framed(self) -> None:
        """CH-C0."""
        drawn = draw_table(at("120@19", "120@0 greed fear", "120@0", stage=Stage.RETURN, asked=[1], draws=2))
        plate = next(mark for mark in drawn.marks if isinstance(mark, Box) and mark.at.y == MIDDLE.y)
        assert [each.name for each in sprites(within(drawn, plate.at), "token-")] == ["token-2"]

    def test_the_dice_are_framed_when_they_can_be_rolled_and_in_brackets_once_they_are(self) -> None:
        assert sprites(draw_table(at("120@0", "120@0")).marks, "bracket") == []
        assert len(sprites(draw_after(at("120@0", "120@0"), "roll", "41").marks, "bracket")) == 8
        assert sprites(draw_table(at("120@3", "120@0", stage=Stage.FREE)).marks, "bracket") == [], "an unknown roll"

    def test_ch_6_the_challenge_shows_what_was_set_aside_on_gold(self) -> None:
        """CH-6."""
        drawn = draw_after(at("125@5", "120@0", stage=Stage.FREE, challenge=True), "challenge", "412 34 4")
        rolled = [(die.colour, face) for die, face in faces_of_dice(drawn.marks) if die.colour]
        assert [face for _, face in rolled] == [4, 2, 1, 4, 3, 4]
        assert [face for colour, face in rolled if colour is ColourRole.GOLD] == [4, 4, 4]
        assert {"challenge: 13 needed", "12"} <= set(texts(drawn.marks))
        assert (len(filled_boxes(drawn, ColourRole.BAD)), len(filled_boxes(drawn, ColourRole.GOOD))) == (1, 0)

    @each_case(
        "state, dice, caption",
        [
            (at(*["120@5"] * 5, stage=Stage.FREE, challenge=True), "412 34 4", "challenge: 13 needed"),
            (at("120@11", "120@0", stage=Stage.CORNER), "111", "credits released"),
            (at("120@20", "90@0", "120@3"), "13 444", "credits received"),
        ],
    )
    def test_a_caption_says_what_dice_are_for(self, state: State, dice: str, caption: str) -> None:
        """CH-6, CH-C3, CH-S5."""
        move = {Stage.FREE: "challenge", Stage.CORNER: "choose myself", Stage.ROLL: "roll"}[state.public.stage]
        assert caption in texts(draw_after(state, move, dice).marks)

    def test_as_many_played_cards_are_shown_as_there_is_room_for(self) -> None:
        state = at(*["120@5"] * 6, stage=Stage.FREE)
        news = tuple(CardPlayed(0, card) for card in cards("add-1 add-2 add-3 resentment selfishness"))
        assert "Selfishness" in texts(draw_table(state, news).marks)
        few = at("120@5", "120@5", stage=Stage.FREE)
        assert {"Resentment", "Selfishness"} <= set(texts(draw_table(few, news).marks))

    @each_case("seats", range(2, 7))
    def test_the_two_newest_played_cards_are_shown_beside_a_challenge(self, seats: int) -> None:
        """CH-7."""
        state = at(*["120@5"] * seats, stage=Stage.FREE, missing=1)
        challenged = Challenged(0, 5, ((4, 1, 2), (3, 2), (1,)))
        news: list[GameEvent] = [challenged, *(CardPlayed(0, card) for card in cards("add-1 add-2 add-3"))]
        assert {"Add 2", "Add 3"} <= set(texts(draw_table(state, news).marks))


class TestSpaceCard:
    CARD = Rect(MIDDLE.x, MIDDLE.y + 60, MIDDLE.width, 90)

    def card(self, drawn: Picture) -> tuple[list[str], list[str]]:
        """Return what is written on the card, and its pictures."""
        shown = within(drawn, self.CARD)
        return texts(shown), [each.name for each in sprites(shown, "change/")]

    @each_case("space", range(SPACE_COUNT))
    def test_the_words_of_every_space_fit(self, space: int) -> None:
        drawn = draw_table(at(f"120@{space}", "120@0"), (Moved(0, space),))
        assert texts(within(drawn, self.CARD))[0] == BOARD.spaces[space].name


class TestCredits:
    def test_ch_5_the_changes_of_a_landing_are_shown_for_every_seat(self) -> None:
        """CH-5."""
        drawn = draw_after(at("120@0", "120@0 desires", "120@0"), "roll", "41")
        assert [row(drawn, seat)[:2] for seat in range(3)] == [["125", "+5"], ["115", "−5"], ["120", "0"]]

    def test_ch_12_the_winners_are_on_gold_and_no_moves_are_shown(self) -> None:
        """CH-12."""
        drawn = draw_after(at("120@0", "5@0 desires", "5@0 desires"), "roll", "41")
        assert "win" in texts(drawn.marks)
        assert sprites(drawn.marks, "crown")
        assert not any(isinstance(mark, Box) and mark.border is ColourRole.MARK for mark in drawn.marks)
        golden = [mark.at for mark in drawn.marks if isinstance(mark, Box) and mark.border is ColourRole.GOLD]
        owners = [[each.name for each in sprites(within(drawn, room), "token-")] for room in golden]
        assert owners == [["token-2", "token-3"], ["token-2"], ["token-3"]]
        assert "over: player 2 and player 3 share the win" in drawn.description


class TestHand:
    @each_case(
        "state",
        [
            at("120@0", "120@0", hands=["add-1 greed"]),
            at("120@0", "120@0", hands=["add-1 greed any replace-1"], stage=Stage.FREE),
            at("120@5", "120@0", hands=["add-1 greed"], stage=Stage.FREE, missing=2),
            at("120@5", "120@0", hands=["add-1 greed any"], stage=Stage.FREE, missing=2, travel=False),
            at("120@5", "120@0", hands=["replace-1"], stage=Stage.FREE),
            at("120@4", "120@0", hands=["add-1 greed"], stage=Stage.SWAP),
            at("120@22", "120@0", hands=["add-1 greed"], stage=Stage.KEEP),
        ],
    )
    def test_playable_cards_are_framed(self, state: State) -> None:
        """CH-M2 to CH-M4, CH-7, CH-C2 and CH-S6."""
        drawn = draw_hand(state)
        frames = [mark.at for mark in drawn.marks if isinstance(mark, Box) and mark.border is ColourRole.MARK]
        ways = {word for move in legal(state) for word in move.split()[1:2] if move.split()[0] != "option"}
        playable = [card for card in state.hands[0] if BOARD.cards[card].key in ways]
        assert len(frames) == len(playable)

    def test_out_of_turn_no_card_is_framed(self) -> None:
        state = at("120@0", "120@5", hands=["add-1 greed"], stage=Stage.FREE, turn=1, missing=3)
        assert not any(isinstance(mark, Box) and mark.border is ColourRole.MARK for mark in draw_hand(state).marks)

    def test_each_new_card_is_new_once(self) -> None:
        state = at("120@0", "120@0", hands=["add-1 add-1 greed"])
        news = (CardsSeen(0, cards("add-1")), CardsSeen(1, cards("greed")))
        assert len(filled_boxes(draw_hand(state, news), ColourRole.NEW)) == 1

    def test_a_space_card_shows_the_effect_of_going_there(self) -> None:
        state = at("120@0 greed gossip envy", "120@0", hands=["greed fear"], options=WITH_SETS)
        assert {"−20", "+20"} <= set(texts(draw_hand(state).marks))
        assert (
            len(filled_boxes(draw_hand(state), ColourRole.GOOD)),
            len(filled_boxes(draw_hand(state), ColourRole.BAD)),
        ) == (1, 1)
