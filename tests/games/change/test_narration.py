"""How Change tells its turns: in a line each, and what the spaces did to whom."""

from bot.games.change.news import NARRATION, summarize_turn
from bot.games.change.pieces import GameEvent
from bot.rules.screen import News, to_news
from bot.rules.story import tell_briefly
from tests.games.change.positions import GAME, at, play_step
from tests.support.each_case import each_case

NAMES = ("Robin", "Wren", "Jay", "Linnet")


@each_case(
    "moves, line",
    [
        (("roll: 41", "challenge: 111 11 1", "done"), "→ Desires +5, Wren −5"),
        (("roll: 41", "option grudges: 666 66 6"), "→ Desires → Grudges ☑️ +25, Wren −5"),
        (("roll: 41", "option greed: 666 66 6"), "… Greed ☑️ +15, Wren −5, Jay −10"),
        (("roll: 61", "option greed: 666 66 6"), "… Greed ☑️ +20, 3 others −40"),
        (("roll: 61", "option selfishness: 666 66 6"), "… Selfishness ☑️ +35, 3 others −30"),
        (("roll: 51", "challenge: 666 66 6", "card fear"), "→ Greed ☑️ → Fear +30, Jay −10"),
        (("roll: 12", "choose 1"), "→ Corner 1, Wren −10"),
    ],
)
def test_a_turn_in_one_line_tells_the_spaces_and_whose_credits_changed(moves: tuple[str, ...], line: str) -> None:
    """And shows what it leaves out."""
    state = at("120@0", "120@0 desires gossip", "120@0 greed gossip", "120@0 gossip", hands=["fear"])
    news: list[News[GameEvent]] = []
    for move in moves:
        text, _, dice = move.partition(":")
        state, events = play_step(state, text, dice)
        news += to_news(events, NAMES)
    assert tell_briefly(NARRATION, GAME.view(state, None), news) == f"**Robin** {line}"


@each_case(
    "moves, line",
    [
        (
            ("roll: 41", "challenge: 111 11 1", "done"),
            "→ Desires 🎯 **3** failed 💳 Credits: Robin **+5**, Wren **−5**",
        ),
        (
            ("roll: 41", "option grudges: 666 66 6"),
            "→ Desires → Grudges 🎯 **18** succeeded ☑️ marked 💳 Credits: Robin **+25**, Wren **−5**",
        ),
    ],
)
def test_the_newest_turn_has_a_word_for_each_sign(moves: tuple[str, ...], line: str) -> None:
    state, news = at("120@0", "120@0 desires"), list[News[GameEvent]]()
    for move in moves:
        text, _, dice = move.partition(":")
        state, events = play_step(state, text, dice)
        news += to_news(events, NAMES[:2])
    assert summarize_turn(GAME.view(state, None), news) == f"🎲 **Robin** {line}"


@each_case(
    "moves, line",
    [
        (("challenge: 411 41 2",), "🎯 **10** failed"),
        (("challenge: 411 41 2", "card add-5"), "🎯 **10 + 5** succeeded ☑️ marked"),
        (("challenge: 411 41 2", "card add-1", "card add-5"), "🎯 **10 + 1 + 5** succeeded ☑️ marked"),
        (("challenge: 411 41 2", "card add-1", "done"), "🎯 **10 + 1** failed"),
        (("challenge: 411 41 2", "card replace-1 add-1"), "🎯 **10** failed"),
        (
            ("challenge: 411 41 2", "card add-1", "option grudges: 411 41 2", "card add-5"),
            "🎯 **10 + 1** failed → Grudges 🎯 **10 + 5** succeeded ☑️ marked",
        ),
    ],
)
def test_ch_7_a_challenge_is_told_with_the_points_of_cards(moves: tuple[str, ...], line: str) -> None:
    """CH-7. A card counts for the challenge before it."""
    state, news = at("120@0", "120@0", hands=["add-1 add-5 replace-1"]), list[News[GameEvent]]()
    for move in ("roll: 41", *moves):
        text, _, dice = move.partition(":")
        state, events = play_step(state, text, dice)
        news += to_news(events, NAMES[:2])
    assert summarize_turn(GAME.view(state, None), news).split(" 💳")[0] == f"🎲 **Robin** → Desires {line}"


def test_with_three_seats_a_line_has_room_for_the_whole_turn() -> None:
    state, news = at("120@0", "120@0 desires", "120@0 selfishness"), list[News[GameEvent]]()
    for move, dice in (("roll", "41"), ("option selfishness", "666 66 6")):
        state, events = play_step(state, move, dice)
        news += to_news(events, NAMES[:3])
    line = "**Robin** → Desires → Selfishness ☑️ +30, Wren −5, Jay −25"
    assert tell_briefly(NARRATION, GAME.view(state, None), news) == line


def test_with_many_seats_a_line_names_the_others_by_their_tokens() -> None:
    names = (*NAMES, "Heron")
    state, events = play_step(at("120@0", "120@0 desires", *["120@0"] * 3), "roll", "41")
    news = to_news(events, names)
    assert tell_briefly(NARRATION, GAME.view(state, None), news) == "**Robin** → Desires +5 🟧−5"


def test_what_another_seat_does_at_a_corner_is_no_move_of_the_seat_whose_turn_it_is() -> None:
    """CH-C8."""
    state, news = at("120@25", "120@0", "120@0"), list[News[GameEvent]]()
    for move, dice in (("roll", "21"), ("choose 1", ""), ("choose greed", ""), ("done", "")):
        state, events = play_step(state, move, dice)
        news += to_news(events, NAMES[:3])
    assert NARRATION.summarize(GAME.view(state, None), news) == "🎲 **Robin** → Corner 8 (Wren ☑️ Greed)"
