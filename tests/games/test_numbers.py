"""Whoever sees no picture is told the same: the message has every larger number that is written in the picture."""

import re
from collections.abc import Iterable, Iterator
from random import Random

import pytest

from bot.rules.chance import FastChance
from bot.rules.picture import Label
from bot.rules.playout import random_move
from bot.rules.screen import EMPTY_DRAFT, Screen, to_news
from bot.tools.showcases import SHOWCASE_NAMEPLATES, SHOWCASE_NAMES
from tests.support.games import load_games_once

pytestmark = pytest.mark.slow

GAMES = load_games_once()
LEAST = 10
"""Smaller numbers count and name so many things that one of them is always found."""


def numbers_in(texts: Iterable[str]) -> set[int]:
    """Return the numbers in texts; the odds are left out, because they are rounded to the room there is."""
    without_odds = (re.sub(r"[\d.]+%", "", text).replace(",", "") for text in texts)
    return {int(number) for text in without_odds for number in re.findall(r"\d+", text)}


def texts_of(screen: Screen) -> Iterator[str]:
    yield from (screen.title, screen.text, screen.note)
    for field in screen.fields:
        yield from (field.title, field.text)
    yield from (control.label for control in screen.iter_controls())


@pytest.mark.parametrize("key", GAMES)
def test_every_number_of_the_picture_is_in_the_message(key: str, is_long: bool) -> None:
    package, chance = GAMES[key], FastChance(Random(key))
    rules, build_picture = package.game, package.look.build_picture
    if build_picture is None:
        return
    names = SHOWCASE_NAMES[: rules.info.most_seats]
    state, events, step = rules.start(rules.info.options(), len(names), chance), (), 0
    while (seat := rules.seat_to_move(state)) is not None:
        if is_long or step % 4 == 0:
            view = rules.view(state, None)
            written = [
                mark.text
                for mark in build_picture(view, events, SHOWCASE_NAMEPLATES).iter_marks()
                if isinstance(mark, Label)
            ]
            told = texts_of(package.words.build_screen(view, to_news(events, names), names, EMPTY_DRAFT))
            assert {number for number in numbers_in(written) if number >= LEAST} <= numbers_in(told), view
        state, events = rules.play(state, seat, random_move(rules.legal_moves(state), chance), chance)
        step += 1
