"""The text and the controls of Magpie's screen."""

from collections.abc import Iterable, Sequence

from bot.games.magpie.pieces import DICE_COUNT, GameEvent, State
from bot.games.magpie.screen import build_screen
from bot.rules.screen import EMPTY_DRAFT, Draft, Play, Screen, Toggle, Tone, to_news
from bot.tools.contract.screen_checks import NAMES as ESCAPED_NAMES, find_excess
from tests.games.magpie.naive import ROLLS
from tests.games.magpie.positions import GAME, at, make_finished_game, play_move, start_game
from tests.support.each_case import each_case

LONGEST_NAMES = tuple(letter * 32 for letter in "abcdef")
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")


def draw(state: State, events: Sequence[GameEvent] = (), draft: Draft = EMPTY_DRAFT) -> Screen:
    names = NAMES[: len(state.scores)]
    return build_screen(state, to_news(events, names), names, draft)


def tick(state: State, places: Iterable[int]) -> Screen:
    """Draw the screen after ticking some dice."""
    screen, draft = draw(state), EMPTY_DRAFT
    for place in places:
        control = screen.find_control(f"keep{place}")
        assert control is not None
        assert isinstance(control.effect, Toggle)
        draft = control.effect.apply(draft)
        screen = draw(state, draft=draft)
    return screen


class TestScreenText:
    def test_mp_2_next_to_the_picture_the_roll_off_says_whose_dice_it_adds_up(self) -> None:
        """MP-2."""
        summary = draw(start_game(2, "66544 11111  12346")).summary
        assert summary == "🎲 Opening dice: 🟦 **25**, 🟧 **5**. 🟦 starts."

    def test_mp_2_the_roll_off_is_gone_after_a_round(self) -> None:
        """MP-2."""
        state, first = play_move(start_game(2, "66666 11111 12346"), "roll 5", "6")
        assert "🟦 starts" in draw(state, first).text
        state, second = play_move(state, "roll 5", "6")
        assert "🟦 starts" not in draw(state, (*first, *second)).text

    def test_mp_9_the_last_turns_are_announced(self) -> None:
        """MP-9."""
        assert "100 reached! Everyone but Ben gets one last turn." in draw(at("12346 0/103/0 2 1")).text
        assert "reached!" not in draw(at("12346 0/99/0 2 -")).text
        assert "reached!" not in draw(make_finished_game((100, 2), 0)).text

    def test_beside_the_picture_is_the_latest_roll(self) -> None:
        """MP-6."""
        state, events = play_move(at("11122 4/0 0 -"), "roll 5", "2")
        assert draw(state, events).summary == "**Ada** +4, full house"


class TestEnd:
    @each_case("names", [LONGEST_NAMES, ESCAPED_NAMES])
    def test_mp_10_the_longest_names_fit_when_all_share_the_win(self, names: tuple[str, ...]) -> None:
        """MP-10."""
        assert list(find_excess(build_screen(make_finished_game((100,) * 6, 0), (), names, EMPTY_DRAFT))) == []


class TestControls:
    @each_case("dice", [dice for dice in ROLLS if len(dice) < DICE_COUNT])
    def test_mp_4_every_roll_can_be_composed_by_ticking_what_it_keeps_or_what_it_rolls(
        self, dice: tuple[int, ...]
    ) -> None:
        """MP-4: ticking keeps, as in the other games; a second button rolls only the ticked dice."""
        position = at("12346 0/0 0 -")
        ticked, others = (tick(position, places) for places in (dice, sorted({1, 2, 3, 4, 5} - {*dice})))
        moves = [screen.find_control(key) for screen, key in ((ticked, "only"), (others, "others"))]
        assert [each and each.effect for each in moves] == [
            Play(str(GAME.parse_move(f"roll {' '.join(map(str, dice))}")))
        ] * 2

    @each_case(
        "ticked, labels",
        [
            ((), ["Roll all five (44% to score)", "⚀ Keep 1-1, roll 3 (72% to score)"]),
            ((1,), ["⚀ Keep 1, roll 4 (44% to score)", "⚀ Roll only 1 (0% to score)"]),
            ((3, 4, 5), ["⚁ Keep 2-3-4, roll 2 (25% to score)", "⚁ Roll only 2-3-4 (72% to score)"]),
            ((1, 2, 3, 4, 5), ["Roll all five (44% to score)", "⚀ Keep 1-1, roll 3 (72% to score)"]),
        ],
    )
    def test_each_roll_names_the_dice_it_keeps_or_rolls_and_its_odds(
        self, ticked: tuple[int, ...], labels: list[str]
    ) -> None:
        """MP-6: a single die scores if it makes at least two pair with the other four."""
        assert [each.label for each in tick(at("11234 0/0 0 -"), ticked).controls[1]] == labels

    @each_case("draft", [EMPTY_DRAFT, frozenset({0, 6, 16, 63}), frozenset({1, 2, 3, 4, 5})])
    def test_without_a_die_ticked_all_five_can_be_rolled(self, draft: Draft) -> None:
        rolls = draw(at("12346 0/0 0 -"), draft=draft).controls[1]
        assert [(each.key, each.effect) for each in rolls] == [("roll", Play("roll 1 2 3 4 5"))]

    @each_case(
        "faces, label, move",
        [
            ("13311", "⚀ Keep 1-1-1, roll 2 (", "roll 2 3"),
            ("24252", "⚁ Keep 2-2-2, roll 2 (", "roll 2 4"),
            ("66663", "⚅ Keep 6-6-6-6, roll 1 (", "roll 5"),
            ("54453", "⚄ Keep 5-5, roll 3 (", "roll 2 3 5"),
        ],
    )
    def test_one_button_keeps_equal_dice(self, faces: str, label: str, move: str) -> None:
        """MP-4."""
        keep = draw(at(f"{faces} 0/0 0 -")).find_control("keep")
        assert keep is not None
        assert keep.label.startswith(label)
        assert keep.effect == Play(move)
        assert tick(at(f"{faces} 0/0 0 -"), (1,)).find_control("keep") is None

    @each_case("faces", ["12346", "22222"])
    def test_without_the_button_if_no_dice_or_all_are_equal(self, faces: str) -> None:
        assert draw(at(f"{faces} 0/0 0 -")).find_control("keep") is None

    @each_case(
        "faces, ticked, out",
        [
            ("12346", (), ["roll"]),
            ("11234", (), ["keep"]),
            ("11234", (1, 2), ["others"]),
            ("11234", (3, 4, 5), ["only"]),
            ("11234", (4, 5), []),
            ("11223", (), []),
            ("11111", (1, 2, 3), []),
        ],
    )
    def test_the_clearly_best_roll_is_highlighted(self, faces: str, ticked: tuple[int, ...], out: list[str]) -> None:
        """MP-6: nothing is worth keeping of five different dice, and a pair is; which of two pairs is all the same, and
        three of five equal dice are worth hardly more than two."""
        screen = tick(at(f"{faces} 0/0 0 -"), ticked)
        assert [each.key for each in screen.iter_controls() if each.tone is Tone.MAIN] == out

    def test_no_roll_is_highlighted_in_the_last_round(self) -> None:
        """MP-9: the score to beat decides, however many points a roll is expected to bring."""
        screen = draw(at("11234 40/100 0 1"))
        assert not any(each.tone is Tone.MAIN for each in screen.iter_controls())

    def test_ticked_dice_are_highlighted(self) -> None:
        before = draw(at("12346 0/0 0 -")).controls[0]
        after = tick(at("12346 0/0 0 -"), (2, 5)).controls[0]
        assert [control.tone is Tone.CHOSEN for control in after] == [False, True, False, False, True]
        changed = [old.label != new.label for old, new in zip(before, after, strict=True)]
        assert changed == [False, True, False, False, True], "colour alone does not tell"
