"""What can be pressed at a table of Change and in a hand, and what both say of the cards that can be played."""

from collections.abc import Iterator
from random import Random

from bot.games.change.facts import Step, can_play
from bot.games.change.news import NARRATION
from bot.games.change.pieces import ChangeOptions, GameEvent, Stage, State
from bot.games.change.words import PROMPTS, STEPS, estimate_minutes, space_name
from bot.rules.chance import FastChance
from bot.rules.screen import Draft, Play, Screen, Toggle, Tone, find_coloured_control, to_news
from bot.tools.showcase_search import play_through
from bot.tools.showcases import SHOWCASE_NAMES, ShownState
from tests.games.change.hidden import redeal_hidden
from tests.games.change.positions import ALL_PLACED, GAME, play_step, read
from tests.support.each_case import each_case
from tests.support.games import load_games_once

CHANGE = load_games_once()["change"]


def show_table(state: State, draft: Draft = frozenset()) -> Screen:
    return CHANGE.words.build_screen(GAME.view(state, None), (), SHOWCASE_NAMES[: len(state.hands)], draft)


def show_hand(state: State, draft: Draft = frozenset(), seat: int = 0) -> Screen:
    assert CHANGE.words.build_hand_screen is not None
    return CHANGE.words.build_hand_screen(GAME.view(state, seat), (), SHOWCASE_NAMES[: len(state.hands)], draft)


def plays(screen: Screen) -> dict[str, str]:
    """Return what each enabled button plays; the entries of menus are left out."""
    controls = [control for row in screen.controls for control in row if not control.is_disabled]
    return {each.key: each.effect.move for each in controls if isinstance(each.effect, Play)}


def toggles(screen: Screen) -> dict[str, Tone]:
    return {each.key: each.tone for each in screen.iter_controls() if isinstance(each.effect, Toggle)}


def menu_moves(screen: Screen) -> list[str]:
    return [each.effect.move for menu in screen.menus for each in menu.controls if isinstance(each.effect, Play)]


@each_case(
    "position, buttons",
    [
        ("120@5/120@0", {"roll": "roll"}),
        ("120@5/120@0 · 0 free challenge", {"challenge": "challenge", "done": "done"}),
        (f"120@29 {ALL_PLACED} [add-1]/120@0 · 0 free", {"done": "done"}),
        ("120@19 greed/120@0 · 0 return", {"best": "choose greed"}),
        ("120@19 greed fear/120@0 · 0 return", {"best": "choose fear"}),
        ("120@12/120@0/120@0/120@0 · 0 corner", {"myself": "choose myself"}),
        ("120@12/120@0 · 0 corner", {"myself": "choose myself", "let_1": "choose 1"}),
        ("120@27/120@0/120@0 · 0 corner", {"myself": "choose myself", "let_12": "choose 1 2"}),
        ("120@4 [any fear]/120@0 [greed]/120@0 · 0 corner", {"myself": "choose myself", "let_1": "choose 1"}),
        ("120@4 [add-1 any]/120@0 · 0 swap", {}),
        ("120@22 [add-1 any]/120@0 · 0 keep", {}),
    ],
)
def test_buttons_of_the_table(position: str, buttons: dict[str, str]) -> None:
    """CH-C0: nothing impossible is offered, and both choices at a corner are buttons; cards are chosen in the hand."""
    assert plays(show_table(read(position))) == buttons


@each_case("kind, position", [("option", "120@6 habits/120@0 · 0 free"), ("choose", "120@28 habits/120@0 · 0 place")])
def test_a_menu_leads_to_every_space_that_can_be_chosen(kind: str, position: str) -> None:
    """CH-8 and CH-C8."""
    state = read(position)
    assert menu_moves(show_table(state)) == [
        str(move) for move in GAME.legal_moves(state) if str(move).startswith(kind)
    ]


def coloured(screen: Screen, *, is_beginner: bool = False) -> tuple[str, Tone] | None:
    """Return the key and the tone of the button that stands out, or None if that is *My hand*."""
    found = None if screen.waits_for_hand else find_coloured_control(screen, is_beginner=is_beginner)
    return None if found is None else (found.key, found.tone)


@each_case("position", ["120@12/120@0/120@0 · 0 corner", "120@11/120@0/120@0/120@0/120@0/120@0 · 0 corner"])
def test_the_menu_at_a_corner_has_everyone_who_may_follow_it(position: str) -> None:
    """CH-C3: any of the others may; with five of them the menu has two pages."""
    state, draft, made = read(position), frozenset[int](), set[str]()
    for _page in range(2):
        screen = show_table(state, draft)
        made |= {each.effect.move for each in screen.iter_controls() if isinstance(each.effect, Play)}
        turn = next((each.effect for each in screen.iter_controls() if isinstance(each.effect, Toggle)), None)
        draft = turn.apply(draft) if turn else draft
    assert made == set(map(str, GAME.legal_moves(state)))


@each_case(
    "name, shown",
    [
        (r"W\_ren", "W_ren"),
        ("\u2068Maximilian Q\u2069", "\u2068Maximilian Q\u2069"),
        ("\u2068Maximilianus\u2069 🤖", "\u2068Maximilianu…\u2069"),
        (r"xX\_Dragon\_Slayer", "xX_Dragon_S…"),
    ],
)
def test_a_button_has_twelve_letters_of_a_name_beside_its_marks_of_direction(name: str, shown: str) -> None:
    state = read("120@12/120@0 · 0 corner")
    screen = CHANGE.words.build_screen(GAME.view(state, None), (), ("Robin", name), frozenset())
    (label,) = [each.label for each in screen.iter_controls() if each.key == "let_1"]
    assert f" {shown} ·" in label


@each_case(
    "position, key",
    [
        ("120@5/120@0", "roll"),
        ("120@5/120@0 · 0 free challenge", "challenge"),
        ("120@5 [any]/120@0 · 0 free challenge", "challenge"),
        ("120@5 desires/120@0 · 0 free", "best"),
        ("120@5 [any]/120@0 · 0 free missing 6", "best"),
        ("120@5 [add-1 greed]/120@0 · 0 free travelled", "done"),
        ("120@5 [any]/120@0 · 0 free missing 2", None),
        (f"120@29 {ALL_PLACED} [add-1]/120@0 · 0 free", None),
        ("8@5 denial [add-1]/120@0 · 0 free", None),
        ("120@19 greed/120@0 · 0 return", "best"),
        ("120@11/120@0 · 0 corner", "myself"),
        ("120@19/120@0 greed/120@0 greed · 0 corner", "let_1"),
    ],
)
def test_one_button_stands_out(position: str, key: str | None) -> None:
    """It is My hand only if cards probably help, and ends the turn only if no card can go to a space."""
    for is_beginner in (False, True):
        found = coloured(show_table(read(position)), is_beginner=is_beginner)
        assert (found and found[0]) == key


@each_case(
    "moves, space, is_in_title",
    [
        ("roll:41", 5, True),
        ("roll:21", 3, True),
        # The challenge is rolled at once.
        ("roll:41, option greed:512 43 4", 6, False),
        ("roll:41, option greed:111 11 1", 6, False),
    ],
)
def test_where_one_lands_is_told_with_its_rule(moves: str, space: int, *, is_in_title: bool) -> None:
    """In the title while there is something to decide on it, and in the story after an option move."""
    state, news = read("120@0/120@0"), list[GameEvent]()
    for move in moves.split(", "):
        state, events = play_step(state, *move.split(":"))
        news += events
    screen, name = show_table(state), space_name(state.public.board.spaces[space])
    assert state.public.ragz_spaces[0] == space
    assert (name in screen.title) is is_in_title
    assert bool(screen.rule) is (is_in_title or state.public.missing > 0)
    assert name in NARRATION.brief(GAME.view(state, None), to_news(news, SHOWCASE_NAMES[:2]))


def test_a_clearly_best_move_is_recommended() -> None:
    assert coloured(show_table(read("120@29/120@0 · 0 free challenge"))) == ("challenge", Tone.MAIN)
    assert coloured(show_table(read("120@29 [any]/120@0 · 0 free challenge"))) == ("challenge", Tone.CHOSEN)


@each_case(
    "position, draft, buttons",
    [
        ("120@5 [greed]/120@0 · 0 free", (), {"go_greed": "card greed place"}),
        ("120@5 [greed]/120@0 · 0 free", (0,), {"go_greed": "card greed"}),
        (f"20@5 {ALL_PLACED} [denial any]/120@0 · 0 free", (), {"best": "card any fear", "go_denial": "card denial"}),
        ("120@5 [denial any]/120@0 · 0 free travelled", (), {}),
        ("120@5 [any]/120@0 [greed] · 1 free", (), {}),
        ("120@5 [add-1 add-3]/120@0 · 0 free missing 2", (), {"add_1": "card add-1", "add_3": "card add-3"}),
        ("120@5 [add-1 add-2]/120@0 · 0 free", (), {}),
        ("120@5 [add-1 replace-2]/120@0 · 0 free", (), {"swap_2_add_1": "card replace-2 add-1"}),
        ("120@5 [replace-2 replace-2]/120@0 · 0 free", (), {"swap_2_replace_2": "card replace-2 replace-2"}),
        (
            "120@5 [replace-1 replace-3]/120@0 · 0 free",
            (),
            {"swap_1_replace_3": "card replace-1 replace-3", "swap_3_replace_1": "card replace-3 replace-1"},
        ),
        ("120@5 [add-1 add-1 add-2 replace-1]/120@0 · 0 free", (), {}),
        (
            "120@5 [add-1 add-1 add-2 replace-1]/120@0 · 0 free",
            (1,),
            {"swap_1_add_1": "card replace-1 add-1", "swap_1_add_2": "card replace-1 add-2"},
        ),
        ("120@5 [add-1 add-2 replace-2]/120@0 · 0 free", (2,), {}),
        ("120@5 [add-1 add-2 replace-2]/120@0 · 0 free", (2, 10, 11), {"replace": "card replace-2 add-1 add-2"}),
        ("120@5 [add-1 add-2 add-3 replace-2]/120@0 · 0 free", (2, 10, 11, 12), {}),
        ("120@4 [add-1 any]/120@0 · 0 swap", (), {"swap_add_1": "replace add-1", "swap_any": "replace any"}),
        ("120@22 [add-1 any]/120@0 · 0 keep", (), {"keep_add_1": "keep add-1", "keep_any": "keep any"}),
    ],
)
def test_buttons_of_a_hand(position: str, draft: tuple[int, ...], buttons: dict[str, str]) -> None:
    """CH-7, CH-C2, CH-M2, CH-M3, CH-M4 and CH-S6."""
    assert plays(show_hand(read(position), frozenset(draft))) == buttons


@each_case(
    "position, draft, tokens",
    [
        ("120@5 [greed]/120@0 · 0 free", (), {"marker": Tone.QUIET}),
        ("120@5 [denial any]/120@0 · 0 free travelled", (), {}),
        (f"120@5 {ALL_PLACED} [denial any]/120@0 · 0 free", (), {}),
        ("120@5 [replace-1 replace-2 any]/120@0 · 0 free travelled", (), {"open_1": Tone.QUIET, "open_2": Tone.QUIET}),
        (
            "120@5 [add-1 add-2 replace-2]/120@0 · 0 free travelled",
            (2, 10),
            {"open_2": Tone.QUIET, "pick_0": Tone.QUIET, "pick_1": Tone.QUIET},
        ),
    ],
)
def test_toggles_of_a_hand(position: str, draft: tuple[int, ...], tokens: dict[str, Tone]) -> None:
    """CH-M3 and CH-M4: a marker is placed unless it is declined; a Replace card opens the choice of the others."""
    assert toggles(show_hand(read(position), frozenset(draft))) == tokens


@each_case(
    "position, draft, key",
    [
        ("120@29 [add-1 add-3 add-5]/120@0 · 0 free missing 3", (), "add_3"),
        ("120@29 [add-1 add-2]/120@0 · 0 free missing 3", (), "add_2"),
        ("25@5 denial [denial greed]/120@0 · 0 free", (), "go_denial"),
        ("25@5 denial [any greed]/120@0 · 0 free", (), "best"),
        ("120@22 [add-1 add-5]/120@0 · 0 keep", (), "keep_add_5"),
        ("120@4 [add-1 add-5]/120@0 · 0 swap", (), "swap_add_1"),
        ("120@5 [add-1 add-2 replace-2]/120@0 · 0 free travelled", (2, 10), "replace"),
    ],
)
def test_the_best_card_stands_out_in_a_hand(position: str, draft: tuple[int, ...], key: str) -> None:
    """CH-7: of Add cards it is the smallest that suffices, or else the largest."""
    found = coloured(show_hand(read(position), frozenset(draft)))
    assert found is not None
    assert found[0] == key


def test_another_replace_card_closes_the_one_that_is_open() -> None:
    """CH-M3."""
    screen = show_hand(read("120@5 [replace-1 replace-2 any]/120@0 · 0 free travelled"))
    effects = [each.effect for each in screen.iter_controls() if isinstance(each.effect, Toggle)]
    assert effects == [Toggle(1, frozenset({2})), Toggle(2, frozenset({1}))]


def test_the_blank_card_has_a_menu_of_all_challenge_spaces() -> None:
    """CH-M4: a marker is placed where there is none."""
    moves = menu_moves(show_hand(read("120@5 denial fear [any]/120@0 · 0 free")))
    assert len(moves) == 18
    assert [move for move in moves if not move.endswith(" place")] == ["card any fear", "card any denial"]


@each_case(
    "position, waits",
    [
        ("120@4 [add-1 any]/120@0 · 0 swap", True),
        ("120@22 [add-1 any]/120@0 · 0 keep", True),
        ("120@5 [greed]/120@0 · 0 free missing 2", True),
        ("120@5 [greed]/120@0 · 0 free missing 6", False),
        ("120@5 [add-1 greed]/120@0 · 0 free travelled", False),
        (f"120@29 {ALL_PLACED} [greed]/120@0 · 0 free", True),
        (f"120@29 {ALL_PLACED} [greed]/120@0 · 0 free travelled", False),
        ("120@5 [add-1]/120@0 · 0 free missing 2 travelled", True),
        ("120@5 [replace-1]/120@0 · 0 free travelled", False),
        ("120@5/120@0 · 0 free missing 2", False),
        ("120@5 [any]/120@0 · 0 free", False),
        ("8@5 denial [greed]/120@0 · 0 free", True),
        ("8@5 denial/120@0 · 0 free", False),
        ("8@5 denial [greed]/120@0 · 0 free travelled", False),
        ("120@5 [any]/120@0 · 0 free challenge travelled", False),
        ("120@5 [any]/120@0", False),
        ("120@3 [any]/120@0 · 0 corner", False),
    ],
)
def test_the_table_waits_for_a_card(position: str, waits: bool) -> None:
    """CH-7, CH-C2, CH-M3, CH-M4 and CH-S6."""
    assert show_table(read(position)).waits_for_hand is waits


@each_case(
    "position, move, is_doubted",
    [
        ("10@5 greed [greed]/120@0 · 0 free", "done", True),
        ("10@5 greed [any]/120@0 · 0 free", "done", True),
        ("11@5 greed [greed any]/120@0 · 0 free", "done", False),
        ("10@5 greed [fear add-1]/120@0 · 0 free", "done", False),
        ("10@5 greed [greed]/120@0 · 0 free travelled", "done", False),
        ("10@5 greed [greed]/120@0 · 0 free", "option fear", False),
    ],
)
def test_the_end_of_a_turn_is_doubted_while_a_held_card_wins(position: str, move: str, is_doubted: bool) -> None:
    """CH-12 and CH-M4: Greed releases 10 credits."""
    assert CHANGE.words.find_doubt is not None
    assert bool(CHANGE.words.find_doubt(GAME.view(read(position), 0), move)) is is_doubted


def moments() -> Iterator[ShownState[State, GameEvent]]:
    for number in range(3):
        yield from play_through(CHANGE, CHANGE.game.info.options(), 3, number)


def test_cards_that_can_be_played_are_those_of_the_legal_moves() -> None:
    """CH-7, CH-M2, CH-M3 and CH-M4; judged by their number alone, no playable card is overlooked."""
    seen = set()
    for moment in moments():
        state, public, board = moment.state, moment.state.public, moment.state.public.board
        moves = () if public.mover is None else GAME.legal_moves(state)
        used = {getattr(move, "card", None) for move in moves}
        for seat, hand in enumerate(state.hands):
            playable = {card for card in hand if can_play(GAME.view(state, seat), card)}
            assert playable == {card for card in hand if seat == public.mover and board.cards[card].key in used}
        assert public.may_play_cards or public.stage is not Stage.FREE or used == {None}
        seen.add((public.stage is Stage.FREE and public.may_play_cards, used == {None}))
    assert seen >= {(True, True), (True, False), (False, True)}


def test_whether_the_table_waits_depends_on_the_number_of_cards_only() -> None:
    """CH-M1: the table does not reveal whether a player holds a card that helps."""
    chance, seen = FastChance(Random(1)), set()
    for moment in moments():
        waits = show_table(moment.state).waits_for_hand
        seen.add(waits)
        assert show_table(redeal_hidden(moment.state, None, chance)).waits_for_hand is waits
    assert seen == {True, False}


def test_every_prompt_and_step_has_its_words_everywhere() -> None:
    assert PROMPTS.keys() == {*Stage} - {Stage.OVER}
    assert STEPS.keys() == {*Step}
    assert all(all(words) for words in (*PROMPTS.values(), *STEPS.values()))


@each_case("sets", [True, False])
@each_case("seats", [2, 3, 4, 5, 6])
def test_more_credits_never_take_less_time(seats: int, sets: bool) -> None:
    times = [estimate_minutes(ChangeOptions(credits=count, sets=sets), seats) for count in range(20, 301)]
    assert times == sorted(times)
    assert times[0] >= 1
