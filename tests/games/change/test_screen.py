"""Change's screen: what everyone sees, and what one seat sees of its hand."""

import re

from bot.games.change.events import CardPlayed, CardsDrawn, CardsSeen, Challenged, GameEvent, TrackRolled
from bot.games.change.hand_screen import build_hand_screen
from bot.games.change.pieces import Stage, State
from bot.games.change.screen import build_abandoned_fields, build_screen
from bot.rules.package import shown_moves_of
from bot.rules.screen import Draft, Play, Screen, Toggle, to_news
from tests.games.change.positions import ALL_TWELVE, GAME, WITH_SETS, at, cards, play_step
from tests.support.each_case import each_case
from tests.support.games import load_games_once

NAMES = ("Robin", "Wren", "Jay", "Linnet")
EMPTY: Draft = frozenset()
CHANGE = load_games_once()["change"]


def draw_table(state: State, events: tuple[GameEvent, ...] = (), draft: Draft = EMPTY) -> Screen:
    names = NAMES[: len(state.hands)]
    return build_screen(GAME.view(state, None), to_news(events, names), names, draft)


def draw_hand(state: State, seat: int = 0, draft: Draft = EMPTY, events: tuple[GameEvent, ...] = ()) -> Screen:
    names = NAMES[: len(state.hands)]
    return build_hand_screen(GAME.view(state, seat), to_news(events, names), names, draft)


def plays(screen: Screen) -> dict[str, str]:
    """Return what each label plays."""
    return {each.label: each.effect.move for each in screen.iter_controls() if isinstance(each.effect, Play)}


def draw_after(state: State, move: str, dice: str = "") -> Screen:
    """Make a move and return the screen after it."""
    after, events = play_step(state, move, dice)
    return draw_table(after, tuple(event for event in events if event.audience is None))


class TestPublicScreen:
    def test_the_start_shows_the_roll_off_and_offers_the_dice(self) -> None:
        screen = draw_table(at("120@0", "120@0"))
        assert screen.title == "Change · Robin to roll"
        assert "Roll-off: 🟦 ⚅⚅, 🟧 ⚀⚀. 🟦 starts." in screen.text
        assert screen.summary == "🎲 Roll-off: 🟦 ⚅⚅, 🟧 ⚀⚀. 🟦 starts.", "the title says who is to roll"
        assert plays(screen) == {"🎲 Roll": "roll"}

    def test_a_track_roll_is_described_with_its_landing(self) -> None:
        screen = draw_after(at("120@0", "120@0 desires"), "roll", "41")
        assert "**Robin** rolled ⚃⚀ → **Desires**" in screen.text
        assert "💳 Robin received **5**, Wren released **5**" in screen.text
        assert "👉 You can take on the challenge, make an option move, or end your turn. Challenge:" in screen.text
        assert plays(screen)["🎯 Challenge Desires (58%)"] == "challenge"

    def test_a_challenge_is_described_with_its_dice(self) -> None:
        state = at("125@5", "120@0", challenge=True, stage=Stage.FREE)
        won = draw_after(state, "challenge", "512 43 4")
        assert "🎯 Challenge ⚄⚁⚀ ⚃⚂ ⚃: **13**, success!" in won.text
        assert "🎯 Challenge: **13**, success!" in (won.summary or "")
        failed = at("125@5", "120@0", hands=["any"], challenge=True, stage=Stage.FREE)
        screen = draw_after(failed, "challenge", "412 41 3")
        assert ": **11**, too low" in screen.text
        assert "🎯 Challenge: **11**, too low." in (screen.summary or "")
        assert "**2** short. Do you have Add cards?" in screen.text

    def test_an_open_challenge_says_what_is_rolled_and_what_it_takes(self) -> None:
        """CH-6."""
        screen = draw_table(at("125@5", "120@0", challenge=True, stage=Stage.FREE))
        line = "Challenge: best of 3 dice + best of 2 + 1 more. **13+** marks **Desires**."
        assert screen.text.endswith(line)
        assert (screen.summary or "").endswith(f"👉 {line}")

    def test_option_moves_are_a_menu_of_the_open_spaces(self) -> None:
        screen = draw_table(at("120@5 greed", "120@0 denial", stage=Stage.FREE))
        (menu,) = screen.menus
        assert len(menu.controls) == 16
        denial = next(line for line in menu.controls if line.key == "to_denial")
        assert denial.label == "Denial · 25 · set F"
        assert denial.description == "You receive 25 and must try the challenge (13+); 1 other releases"

    def test_a_single_own_marker_to_return_to_is_a_button(self) -> None:
        """CH-C5."""
        lone, several = (at(f"120@19 {own}", "120@0", stage=Stage.RETURN) for own in ("greed", "greed fear"))
        assert plays(draw_table(lone)) == {"Greed: release 10": "choose greed"}
        assert draw_table(lone).menus == ()
        assert [len(menu.controls) for menu in draw_table(several).menus] == [2]

    def test_impossible_moves_are_not_offered(self) -> None:
        screen = draw_table(at(f"120@29 {ALL_TWELVE}", "120@0", hands=["add-1"], stage=Stage.FREE))
        assert screen.menus == ()
        assert plays(screen) == {"End turn": "done"}

    def test_a_corner_for_one_other_offers_each_of_them(self) -> None:
        screen = draw_table(at("120@3", "120@0", "120@0", stage=Stage.CORNER))
        assert plays(screen) == {
            "Me: release 10": "choose myself",
            "🟧 Give to Wren: I draw 1 card": "choose 1",
            "🟩 Give to Jay: I draw 1 card": "choose 2",
        }
        assert "**Corner 1**: release 10, or give the bonus to another player and draw 1 card." in screen.text

    def test_a_corner_for_several_lets_them_be_picked(self) -> None:
        state = at("120@12", "120@0", "120@0", "120@0", stage=Stage.CORNER)
        assert plays(draw_table(state)) == {
            "Me: release 15": "choose myself",
            "Give to all others: I draw 3 cards": "choose 1 2 3",
        }
        assert plays(draw_table(state, draft=frozenset({1, 3})))["Give to those ticked: I draw 2 cards"] == "choose 1 3"
        toggles = [
            each.label
            for each in draw_table(state, draft=frozenset({1})).iter_controls()
            if isinstance(each.effect, Toggle)
        ]
        assert toggles == ["✓ 🟧 Wren", "🟩 Jay", "🟪 Linnet"]
        assert "or tick who gets the bonus and draw 1 card for each of them." in (draw_table(state).summary or "")

    def test_a_corner_for_all_others_is_one_button(self) -> None:
        screen = draw_table(at("120@27", "120@0", "120@0", stage=Stage.CORNER))
        assert plays(screen) == {
            "Me: release 20": "choose myself",
            "Give to all others: I draw 2 cards": "choose 1 2",
        }

    def test_a_seat_that_decides_in_another_turn_is_named(self) -> None:
        screen = draw_table(at("120@28", "120@0", stage=Stage.PLACE, asked=[1], draws=4))
        assert screen.title == "Change · Wren decides"
        assert "Wren, choose a challenge space" in screen.text
        assert screen.accent == 1

    @each_case("stage, square", [(Stage.SWAP, 4), (Stage.KEEP, 22)])
    def test_cards_are_chosen_only_in_the_hand(self, stage: Stage, square: int) -> None:
        screen = draw_table(at(f"120@{square}", "120@0", hands=["add-1 greed"], stage=stage))
        assert list(screen.iter_controls()) == []
        assert "*My hand*" in screen.text

    def test_every_seat_is_listed_with_credits_markers_and_cards(self) -> None:
        screen = draw_table(at("120@5 desires greed", "60@0", hands=["any"], stage=Stage.FREE))
        players = screen.fields[0].text.splitlines()
        assert players == [
            "▶ 🟦 ▰▰▰▰▰▰▰▰▰▰ **120** **Robin** · 5 Desires · 🎴 1 · ☑️ 2/12",
            "▫ 🟧 ▰▰▰▰▰▱▱▱▱▱ **60** Wren · 0 Start · 🎴 0 · ☑️ 0/12",
        ]

    def test_the_changes_of_the_newest_turn_follow_the_credits(self) -> None:
        """CH-6."""
        players = draw_after(at("120@0", "120@0 desires"), "roll", "41").fields[0].text.replace("\u00a0", " ")
        assert ["(+5)" in line for line in players.splitlines()] == [True, False]
        assert ["(−5)" in line for line in players.splitlines()] == [False, True]

    def test_a_long_turn_is_told_whole_in_words_and_shortened_next_to_the_picture(self) -> None:
        """CH-3 and CH-6."""
        dice = (TrackRolled(0, (4, 1), 5), Challenged(0, 5, ((4, 1, 1), (4, 1), (3,))))
        played = tuple(CardPlayed(0, card) for card in cards("add-1 add-2 add-3 add-4 add-5 any"))
        screen = draw_table(at("120@5", "120@0", stage=Stage.FREE), (*dice, *played))
        assert [line[0] for line in screen.text.splitlines()] == ["🎲", "🎯"] + ["🎴"] * 6 + ["👉"]
        first, left_out, *rest = re.split(r"(?<=[.…]) (?=\W)", screen.summary or "")
        assert (first, rest[-1]) == ("🎲 **Robin** → **Desires**.", screen.text.splitlines()[-2])
        assert left_out == f"… {7 - len(rest)} more step{'s' * (len(rest) < 6)} …"
        shorter = draw_table(at("120@5", "120@0", stage=Stage.FREE), (*dice, *played[:2]))
        assert "more step" not in (shorter.summary or ""), "it fits"

    def test_what_seats_do_alike_in_a_row_is_told_once_beside_the_picture(self) -> None:
        """CH-S4."""
        screen = draw_after(at("120@3", "60@0", "120@0"), "roll", "41")
        assert (screen.summary or "").endswith("💳 Most credits: Robin and Jay released **10**.")

    def test_beside_the_picture_is_the_turn_in_a_line_and_the_buttons_say_what_can_be_done(self) -> None:
        screen = draw_after(at("120@0 desires", "120@0 desires"), "roll", "41")
        assert screen.summary == "🎲 **Robin** → **Desires**. 💳 Robin and Wren released **5**."
        assert screen.text.endswith("👉 You can make an option move, or end your turn.")

    def test_a_full_hand_draws_no_card(self) -> None:
        """CH-M1."""
        assert "Robin already had five cards and drew none." in draw_table(at("5@0", "9@0"), (CardsDrawn(0, 0),)).text

    def test_an_abandoned_game_marks_no_turn(self) -> None:
        fields = build_abandoned_fields(GAME.view(at("120@5", "60@0", turn=1), None), NAMES[:2])
        assert [line[:3] for line in fields[0].text.splitlines()] == ["▫ 🟦", "▫ 🟧"]
        assert len(fields) == 2

    def test_the_board_shows_every_marker_and_who_releases_double(self) -> None:
        state = at("120@5 desires", "60@0 habits excuses desires", stage=Stage.FREE, options=WITH_SETS)
        first = draw_table(state).fields[1].text.splitlines()[0]
        assert first == "**A** 1 Habits **5** 🟧 · 2 Excuses **5** 🟧 · 5 Desires **5** 🟦🟧 — double for 🟧"

    def test_without_sets_no_seat_releases_double(self) -> None:
        """CH-11."""
        state = at("120@5", "60@0 habits excuses desires", stage=Stage.FREE)
        assert "double" not in draw_table(state).fields[1].text

    def test_the_board_shows_the_other_spaces(self) -> None:
        last = draw_table(at("120@5", "60@0")).fields[1].text.splitlines()[-1]
        assert last == (
            "0 Start · 8 Humility · 14 Emotional · 16 Take a Rest · 22 Backslide · 24 Arrogance "
            "· Corners 3 4 11 12 19 20 27 28"
        )

    def test_more_credits_than_at_the_start_fill_the_bar(self) -> None:
        robin, _ = draw_table(at("150@5", "60@0")).fields[0].text.splitlines()
        assert "▰▰▰▰▰▰▰▰▰▰ **150**" in robin
        assert "▰" * 11 not in robin

    def test_a_turn_is_described_from_its_roll_on(self) -> None:
        """CH-6, CH-8: with two players too, the challenge and the option move follow their roll."""
        state, news = at("120@0", "120@0"), []
        for move, dice in (("roll", "41"), ("challenge", "111 11 1"), ("option greed", "111 11 1")):
            state, events = play_step(state, move, dice)
            news.append(events)
        newest = news[-shown_moves_of(CHANGE, 2) :]
        lines = draw_table(state, tuple(event for events in newest for event in events)).text.splitlines()
        assert [line[0] for line in lines[:6]] == ["🎲", "💳", "🎯", "🏃", "💳", "🎯"]

    @each_case(
        "seats, why",
        [
            (("120@1", "120@0"), "💤 Corner 2: no one had a message card, so nothing happened."),
            (("120@16", "120@0"), "💤 Corner 5: no one had a marker on the board, so nothing happened."),
            (
                (f"120@25 {ALL_TWELVE}", f"120@0 {ALL_TWELVE}"),
                "💤 Corner 8: no one had a marker left, so nothing happened.",
            ),
        ],
    )
    def test_ch_c0_a_corner_without_a_possible_choice_says_so(self, seats: tuple[str, ...], why: str) -> None:
        """CH-C0."""
        lines = draw_after(at(*seats), "roll", "21").text.splitlines()
        assert lines[:2] == [f"🎲 **Robin** rolled ⚁⚀ → **{why[2:10]}**.", why]

    def test_a_roll_of_the_next_player_begins_another_turn(self) -> None:
        """CH-S6: a player who loses no card is not mentioned."""
        news = (TrackRolled(0, (4, 1), 22), TrackRolled(1, (2, 1), 3))
        assert "Robin" not in draw_table(at("120@22", "120@3", turn=1, stage=Stage.CORNER), news).text

    def test_the_second_roll_of_emotional_is_described_with_the_first(self) -> None:
        """CH-S3."""
        text = draw_after(at("120@5", "120@0"), "roll", "54 43").text
        assert "→ **Emotional**" in text
        assert "→ **Fear**" in text

    @each_case("square, others", [(12, "tick who gets the bonus and"), (27, "bonus to all the others")])
    def test_a_corner_says_how_many_others_may_be_chosen(self, square: int, others: str) -> None:
        """CH-C0."""
        assert others in draw_table(at(f"120@{square}", "120@0", "120@0", stage=Stage.CORNER)).text

    def test_a_corner_says_that_the_lander_cannot_choose_themselves(self) -> None:
        """CH-C0, CH-C5."""
        screen = draw_table(at("120@19", "120@0 envy", "120@0 greed", stage=Stage.CORNER))
        assert "You can't, so give the bonus to another player and draw 2 cards." in screen.text
        assert set(plays(screen).values()) == {"choose 1", "choose 2"}

    def test_text_and_buttons_promise_no_more_cards_than_the_hand_has_room_for(self) -> None:
        """CH-M1."""
        full, nearly = "add-1 add-2 add-3 add-4 any", "add-1 add-2 add-3 any"
        corner = draw_table(at("120@12", "120@0", "120@0", hands=[full], stage=Stage.CORNER))
        assert "tick who gets the bonus and draw nothing, as the hand is full." in corner.text
        assert plays(corner)["Give to all others: I draw nothing"] == "choose 1 2"
        corner = draw_table(at("120@12", "120@0", "120@0", hands=[nearly], stage=Stage.CORNER))
        assert "draw 1 card for each of them (the hand has room for 1)." in corner.text
        assert plays(corner)["Give to all others: I draw 1 card"] == "choose 1 2"
        corner = draw_table(at("120@28", "120@0", hands=[nearly], stage=Stage.CORNER))
        assert "to another player and draw 1 card (the hand has room for 1)." in corner.text
        assert "🟧 Give to Wren: I draw 1 card" in plays(corner)

    def test_a_single_possible_choice_is_a_button(self) -> None:
        """CH-C2: nothing is picked among one."""
        screen = draw_table(at("120@4", "120@0", "120@0", hands=["any fear", "greed"], stage=Stage.CORNER))
        assert [each.label for each in screen.iter_controls()] == [
            "Me: replace a message card",
            "🟧 Give to Wren: I draw 1 card",
        ]

    def test_the_end_ranks_by_credits_left(self) -> None:
        state = at("30@0", "0@5", "20@0", stage=Stage.OVER, asked=())
        screen = draw_table(state)
        assert screen.title == "Change · Wren wins!"
        assert [line.split(" · ")[:2] for line in screen.fields[0].text.splitlines()] == [
            ["🥇 🟧 Wren", "**0**"],
            ["🥈 🟩 Jay", "**20**"],
            ["🥉 🟦 Robin", "**30**"],
        ]
        assert list(screen.iter_controls()) == []

    def test_a_shared_win_names_every_winner(self) -> None:
        assert (
            draw_table(at("0@0", "0@5", stage=Stage.OVER, asked=())).title == "Change · Robin and Wren share the win!"
        )


class TestHand:
    def test_every_card_is_described_with_its_use(self) -> None:
        screen = draw_hand(at("120@5", "120@0", hands=["add-3 greed any replace-2"]))
        assert screen.title == "Your hand · 4 of 5 cards"
        assert "**Add 3**: adds 3 to a failed challenge" in screen.text
        assert "**Replace 2**: replaces up to 2 other cards" in screen.text
        assert "**Greed**: go there, no challenge" in screen.text

    def test_space_cards_place_a_marker_unless_declined(self) -> None:
        state = at("120@5", "120@0", hands=["greed"], stage=Stage.FREE)
        for draft, played, choice in (
            (EMPTY, {"Greed: place a marker, receive 10": "card greed place"}, "Also place a marker: yes"),
            (frozenset({0}), {"Greed: receive 10": "card greed"}, "Also place a marker: no"),
        ):
            screen = draw_hand(state, draft=draft)
            assert plays(screen) == played
            assert [each.label for each in screen.iter_controls() if each.key == "marker"] == [choice]

    def test_a_space_card_to_an_own_marker_releases(self) -> None:
        state = at("120@5 greed", "120@0", hands=["greed"], stage=Stage.FREE)
        assert plays(draw_hand(state)) == {"Greed: release 10": "card greed"}

    def test_the_blank_card_is_a_menu_of_all_spaces(self) -> None:
        (menu,) = draw_hand(at("120@5", "120@0", hands=["any"], stage=Stage.FREE)).menus
        assert len(menu.controls) == 18
        moves = {each.effect.move for each in menu.controls if isinstance(each.effect, Play)}
        assert "card any denial place" in moves

    def test_the_blank_card_says_what_others_release(self) -> None:
        """CH-5: the own marker is no other's."""
        (menu,) = draw_hand(
            at("120@5 denial fear", "120@0 denial", "120@0 denial", hands=["any"], stage=Stage.FREE)
        ).menus
        descriptions = {each.key: each.description for each in menu.controls if each.description}
        assert descriptions == {"go_denial_any": "2 others release"}

    def test_without_markers_placing_is_not_offered(self) -> None:
        """CH-M4."""
        state = at(f"120@5 {ALL_TWELVE}", "120@0", hands=["denial any"], stage=Stage.FREE)
        assert "Denial: receive 25" in plays(draw_hand(state))
        assert not [each for each in draw_hand(state).iter_controls() if each.key == "marker"]

    def test_another_replace_card_closes_the_one_that_is_open(self) -> None:
        """CH-M3."""
        screen = draw_hand(at("120@5", "120@0", hands=["replace-1 replace-2 any"], stage=Stage.FREE, travel=False))
        effects = [each.effect for each in screen.iter_controls() if isinstance(each.effect, Toggle)]
        assert effects == [Toggle(1, frozenset({2})), Toggle(2, frozenset({1}))]

    def test_add_cards_are_offered_when_they_help(self) -> None:
        hands = ["add-1 add-5"]
        assert plays(draw_hand(at("120@5", "120@0", hands=hands, stage=Stage.FREE))) == {}
        failed = at("120@5", "120@0", hands=hands, missing=4, stage=Stage.FREE)
        assert plays(draw_hand(failed)) == {"Add 1: 3 to go": "card add-1", "Add 5: success!": "card add-5"}

    def test_a_replace_card_opens_a_choice_of_the_others(self) -> None:
        state = at("120@5", "120@0", hands=["add-1 add-2 replace-2"], stage=Stage.FREE)
        assert plays(draw_hand(state)) == {}
        opened = frozenset({2})
        assert [each.label for each in draw_hand(state, draft=opened).controls[1]] == ["Add 1", "Add 2"]
        assert plays(draw_hand(state, draft=opened)) == {}
        picked = draw_hand(state, draft=opened | {10, 11})
        assert plays(picked) == {"Replace these 2 cards": "card replace-2 add-1 add-2"}

    def test_no_more_are_replaced_than_the_card_says(self) -> None:
        state = at("120@5", "120@0", hands=["add-1 add-2 add-3 replace-2"], stage=Stage.FREE)
        assert plays(draw_hand(state, draft=frozenset({2, 10, 11, 12}))) == {}

    def test_an_opened_replace_1_card_makes_the_others_buttons(self) -> None:
        """CH-M3: once it is open, every other card is a button."""
        state = at("120@5", "120@0", hands=["add-1 add-1 add-2 replace-1"], stage=Stage.FREE)
        assert plays(draw_hand(state)) == {}
        opened = plays(draw_hand(state, draft=frozenset({1})))
        assert opened == {"Replace 1: Add 1": "card replace-1 add-1", "Replace 1: Add 2": "card replace-1 add-2"}

    @each_case(
        "hand, moves",
        [
            ("add-1 replace-2", ["card replace-2 add-1"]),
            ("replace-2 replace-2", ["card replace-2 replace-2"]),
            ("replace-1 replace-3", ["card replace-1 replace-3", "card replace-3 replace-1"]),
            ("add-1 add-2", []),
        ],
    )
    def test_with_two_cards_one_replaces_the_other_immediately(self, hand: str, moves: list[str]) -> None:
        """CH-M3."""
        state = at("120@5", "120@0", hands=[hand], stage=Stage.FREE, travel=False)
        assert list(plays(draw_hand(state)).values()) == moves

    @each_case("stage, square, verb", [(Stage.SWAP, 4, "Replace"), (Stage.KEEP, 22, "Keep")])
    def test_a_card_is_chosen_at_a_corner_that_asks_for_one(self, stage: Stage, square: int, verb: str) -> None:
        screen = draw_hand(at(f"120@{square}", "120@0", hands=["add-1 greed"], stage=stage))
        assert plays(screen) == {f"{verb}: Add 1": f"{verb.lower()} add-1", f"{verb}: Greed": f"{verb.lower()} greed"}

    def test_new_cards_are_marked_for_their_owner(self) -> None:
        state = at("120@5", "120@0", hands=["greed", "any"])
        news: tuple[GameEvent, ...] = (CardsSeen(0, cards("greed")), CardsSeen(1, cards("any")))
        assert "New: Greed." in draw_hand(state, events=news).text
        assert "New: Any space." in draw_hand(state, 1, events=news).text

    def test_a_new_card_that_was_played_is_no_longer_marked(self) -> None:
        news: tuple[GameEvent, ...] = (CardsSeen(0, cards("greed any")),)
        assert "New: Any space." in draw_hand(at("120@5", "120@0", hands=["any"]), events=news).text
        assert "New" not in draw_hand(at("120@5", "120@0", hands=["fear"]), events=news).text
