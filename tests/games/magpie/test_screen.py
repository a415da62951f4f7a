"""The text and the controls of Magpie's screen."""

from collections.abc import Iterable, Sequence

from bot.games.magpie import PACKAGE
from bot.games.magpie.events import GameEvent
from bot.games.magpie.guide import describe_options
from bot.games.magpie.narration import DIE_FACES
from bot.games.magpie.pieces import DICE_COUNT, Combination, MagpieOptions, State
from bot.games.magpie.screen import build_screen
from bot.rules.screen import EMPTY_DRAFT, Draft, Play, Screen, Toggle, Tone, to_news
from bot.tools.contract.display_limits import NAMES as ESCAPED_NAMES, find_excess
from tests.games.magpie.naive import CHART, ROLLS
from tests.games.magpie.positions import EVERY_MIX, GAME, V2, V3, at, make_finished_game, play_move, start_game
from tests.support.each_case import each_case
from tests.support.guides import guide_text
from tests.support.text_order import find_misplaced

LONGEST_NAMES = tuple(letter * 32 for letter in "abcdef")
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn")


def draw(state: State, events: Sequence[GameEvent] = (), draft: Draft = EMPTY_DRAFT) -> Screen:
    names = NAMES[: len(state.scores)]
    return build_screen(state, to_news(events, names), names, draft)


def draw_after(position: str, move: str, dice: str, options: MagpieOptions | None = None) -> Screen:
    """Draw the screen after one move."""
    state, events = play_move(at(position, options or MagpieOptions()), move, dice)
    return draw(state, events)


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
    def test_the_dice_are_in_order(self) -> None:
        heading = draw(at("61524 0/0 0 -")).text.splitlines()[0]
        assert [sign for sign in heading if sign in DIE_FACES] == ["⚅", "⚀", "⚄", "⚁", "⚃"]

    def test_the_seat_to_move_is_named_and_gives_its_colour(self) -> None:
        screen = draw(at("12346 0/0/0 2 -"))
        assert "Cleo" in screen.title
        assert screen.accent == 2

    def test_mp_2_every_round_of_the_roll_off_is_shown(self) -> None:
        """MP-2."""
        text = draw(start_game(3, "66666 11111 66666  12345 54321  11111 11112  12346")).text
        rounds = ["🟦 **30**, 🟧 **5**, 🟩 **30**", "🟦 **15**, 🟩 **15**", "🟦 **5**, 🟩 **6**"]
        shown = [*rounds, "🟩 starts. The opening dice don't score."]
        assert find_misplaced(text, shown) == []

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

    @each_case(
        "position, move, dice, options, parts",
        [
            (
                "11122 0/0 0 -",
                "roll 4 5",
                "33",
                None,
                ["**Ada** re-rolled ⚁ ⚁ into ⚂ ⚂ (dice 4, 5)", "full house", "+8 points"],
            ),
            ("22541 0/0 1 -", "roll 4", "5", None, ["**Ben** re-rolled ⚃ into ⚄ (die 4)", "two pair", "+1 point**"]),
            ("11112 0/0 0 -", "roll 5", "6", None, ["**Ada** re-rolled ⚁ into ⚅ (die 5)", "no points"]),
            (
                "11112 0/0 0 -",
                "roll 1 2 3 4 5",
                "12346",
                V3,
                ["re-rolled all five dice: ⚀ ⚁ ⚂ ⚃ ⚅", "five-dice bonus, **+7 points**"],
            ),
            ("11123 0/0 0 -", "roll 4", "1 22334", V2, ["four of a kind", "+7 points", "Fresh dice"]),
            ("11112 0/0 0 -", "roll 5", "1 22334", None, ["five of a kind", "+11 points", "Fresh dice"]),
        ],
    )
    def test_the_last_turn_is_described(
        self, position: str, move: str, dice: str, options: MagpieOptions | None, parts: list[str]
    ) -> None:
        text = draw_after(position, move, dice, options).text
        assert [part for part in parts if part not in text] == []

    def test_the_last_turn_comes_first(self) -> None:
        rolled, fresh, dice, *_ = draw_after("11123 0/0 0 -", "roll 4", "1 22334", V2).text.splitlines()
        assert "four of a kind" in rolled
        assert "Fresh dice" in fresh
        assert [sign for sign in dice if sign in DIE_FACES] == list("⚁⚁⚂⚂⚃")

    def test_only_the_newest_turn_is_described(self) -> None:
        state, first = play_move(at("11112 0/0 0 -"), "roll 5", "1 22334")
        state, second = play_move(state, "roll 5", "6")
        text = draw(state, (*first, *second)).text
        assert "Ben" in text
        assert "Fresh dice" not in text

    def test_mp_9_the_last_turns_are_announced(self) -> None:
        """MP-9."""
        assert "100 reached! Everyone but Ben gets one last turn." in draw(at("12346 0/103/0 2 1")).text
        assert "reached!" not in draw(at("12346 0/99/0 2 -")).text
        assert "reached!" not in draw(make_finished_game((100, 2), 0)).text

    def test_scores_are_listed_by_seat(self) -> None:
        scores, _ = draw(at("12346 31/7/0 1 -")).fields
        lines = scores.text.splitlines()
        assert [
            line
            for line, part in zip(lines, ("**31** Ada", "**7** **Ben**", "**0** Cleo"), strict=True)
            if part not in line
        ] == []
        assert "100" in scores.title

    def test_points_of_the_last_round_follow_the_total(self) -> None:
        state, events = play_move(at("11122 4/0 0 -"), "roll 5", "2")
        lines = draw(state, events).fields[0].text.splitlines()
        assert lines[0].endswith("· +4")
        assert "+" not in lines[1]

    def test_beside_the_picture_is_the_latest_roll(self) -> None:
        """MP-6."""
        state, events = play_move(at("11122 4/0 0 -"), "roll 5", "2")
        assert draw(state, events).summary == "**Ada** +4, full house"

    def test_mp_6_the_chart_is_noted(self) -> None:
        """MP-6."""
        words = dict(
            zip(
                Combination,
                ("two pair", "three of a kind", "full house", "four of a kind", "five of a kind"),
                strict=True,
            )
        )
        note = draw(at("12346 0/0 0 -")).fields[1].text
        assert [name for combination, name in words.items() if f"{name} {CHART[combination][0]}" not in note] == []

    @each_case("options", EVERY_MIX)
    def test_mp_o1_the_variations_in_play_are_noted(self, options: MagpieOptions) -> None:
        """MP-O1."""
        in_play = (options.double_big_rolls, options.reroll_fours, options.five_dice_bonus)
        texts = describe_options(options)
        assert len(texts) == sum(in_play)
        note = draw(at("12346 0/0 0 -", options)).note
        assert all(text in note for text in texts)
        assert bool(note) == any(in_play)


class TestEnd:
    def test_mp_10_a_winner_is_named(self) -> None:
        """MP-10."""
        screen = draw(make_finished_game((100, 121, 3), 0))
        assert "Ben" in screen.title
        assert (screen.accent, screen.controls, screen.note) == (1, (), "")

    def test_mp_10_a_shared_win_names_every_winner(self) -> None:
        """MP-10."""
        screen = draw(make_finished_game((110, 40, 110), 0))
        assert "Ada and Cleo share" in screen.title
        assert screen.accent == 0

    def test_mp_10_the_ranking_shows_shared_places(self) -> None:
        """MP-10."""
        ranking, _chart = draw(make_finished_game((3, 100, 100, 40, 7, 0), 1)).fields
        lines = ranking.text.splitlines()
        wanted = [
            ("🥇", "Ben"),
            ("🥇", "Cleo"),
            ("🥉", "Dan"),
            ("**4.**", "Eve"),
            ("**5.**", "Ada"),
            ("**6.**", "Finn"),
        ]
        assert [
            line for line, parts in zip(lines, wanted, strict=True) if not all(part in line for part in parts)
        ] == []

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

    def test_each_die_is_named_by_its_face(self) -> None:
        labels = [control.label for control in draw(at("61524 0/0 0 -")).controls[0]]
        assert [face in label for face, label in zip("61524", labels, strict=True)] == [True] * DICE_COUNT

    def test_ticked_dice_are_highlighted(self) -> None:
        before = draw(at("12346 0/0 0 -")).controls[0]
        after = tick(at("12346 0/0 0 -"), (2, 5)).controls[0]
        assert [control.tone is Tone.CHOSEN for control in after] == [False, True, False, False, True]
        changed = [old.label != new.label for old, new in zip(before, after, strict=True)]
        assert changed == [False, True, False, False, True], "colour alone does not tell"


def test_the_guide_names_the_chart() -> None:
    guide = guide_text(PACKAGE)
    words = (
        "two pair **1**",
        "three of a kind **2**",
        "full house **4**",
        "four of a kind **7**",
        "five of a kind **11**",
    )
    assert [word for word in words if word not in guide] == []
