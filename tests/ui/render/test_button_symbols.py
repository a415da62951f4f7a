"""Buttons and menus of every game show each symbol as the emoji before their label, and none as Unicode."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from bot.app.bootstrap import symbols_of
from bot.platform.discord.content import MessageContent
from bot.platform.discord.emoji import OWN_EMOJI, Emoji
from bot.rules.screen import EMPTY_DRAFT, Draft, Screen, Toggle
from bot.tables.model import Occupant, Status
from bot.tables.shown.message import render_hand
from bot.tables.shown.screen import screen_of
from bot.tables.table import Table
from tests.support.fakes import make_table
from tests.support.games import load_games_once
from tests.support.rendering import render_game
from tests.ui.render.test_story import play_randomly

GAMES = load_games_once()
SYMBOLS = [symbol.text.removesuffix("\ufe0f") for symbol in symbols_of(GAMES)]
MOVES = 30
MAX_LABEL_LENGTH = 80
"""Discord's limit."""


@pytest.fixture(autouse=True)
def in_use() -> Iterator[None]:
    OWN_EMOJI.use({symbol: Emoji(f"symbol_{at}", at) for at, symbol in enumerate(SYMBOLS)})
    yield
    OWN_EMOJI.forget()


def pick_something(screen: Screen, draft: Draft, random: Random) -> Draft:
    """Press one of the toggles of a screen, if there are any."""
    toggles = [each.effect for each in screen.iter_controls() if isinstance(each.effect, Toggle)]
    return random.choice(toggles).apply(draft) if toggles else draft


def messages_of(table: Table, random: Random) -> Iterator[MessageContent]:
    """Yield what is shown to the seat to move, with nothing picked and with more and more."""
    draft, seat, build_hand = EMPTY_DRAFT, table.header.to_move or 0, table.package.words.build_hand_screen
    for _ in range(6):
        yield render_game(table, draft)
        draft = pick_something(screen_of(table, draft), draft, random)
    if build_hand is not None:
        yield render_hand(table, seat, build_hand, EMPTY_DRAFT)


def labelled_parts(content: MessageContent) -> Iterator[dict[str, Any]]:
    """Yield the buttons of a message and the options of its menus."""
    for row in content.components():
        for part in row["components"]:
            yield from part.get("options", (part,))


def test_no_symbol_is_left_in_a_label() -> None:
    found = {key: count_symbols_of_labels(key) for key in sorted(GAMES)}
    # Magpie has no symbols of its own, but dice.
    assert all(found[key] for key, package in GAMES.items() if package.look.symbols or key == "magpie"), found


def count_symbols_of_labels(key: str) -> int:
    """Check the labels of a game, and return how many have a symbol."""
    random, info = Random(key), GAMES[key].game.info
    people = [Occupant(f"Name {number}", user_id=number) for number in range(1, min(3, info.most_seats) + 1)]
    table, with_emoji = make_table(*people, status=Status.PLAYING, package=GAMES[key]), 0
    for _ in range(MOVES):
        if table.header.to_move is None:
            break
        for content in messages_of(table, random):
            for part in labelled_parts(content):
                label = part.get("label", "")
                assert not [symbol for symbol in SYMBOLS if symbol in label], label
                assert len(label) <= MAX_LABEL_LENGTH
                with_emoji += "emoji" in part
        table = play_randomly(table, random)
    return with_emoji
