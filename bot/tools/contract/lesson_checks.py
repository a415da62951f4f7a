"""Checks the lesson of a game."""

from functools import partial
from typing import Any

from bot.rules.game import Event
from bot.rules.refusals import Refusal
from bot.rules.screen import EMPTY_DRAFT, to_news
from bot.rules.study import (
    LEARNER,
    LEAST_STEPS,
    MAX_TEXT_LENGTH,
    MOST_STEPS,
    Lesson,
    LessonStep,
    find_clicks,
    play_lesson,
)
from bot.tools.contract.contract import AnyPackage, BrokenContract, Check, require
from bot.tools.contract.display_limits import NAMES

_BUTTON = "{button}"


def check_lesson(package: AnyPackage) -> None:
    """Check that a lesson can be played with the controls it names, and ends in a game that goes on."""
    lesson, game = package.lesson, package.game
    if lesson is None:
        return
    require(Check.LESSON, game.info.least_seats <= lesson.seats <= game.info.most_seats, lesson.seats)
    stages = _play(package, lesson)
    movers = [game.seat_to_move(state) for state, _events in stages]
    positions = {game.encode_position(state) for state, _events in stages}
    require(Check.LESSON, len(positions) == len(stages) and movers[-1] == LEARNER, "the positions", movers)
    for step, mover, (state, events) in zip(lesson.steps, movers, stages, strict=True):
        require(Check.LESSON_TEXTS, (mover == LEARNER) == bool(step.text.strip()), step)
        if step.text:
            _check_text(package, lesson, step, state, events)
    has_one_end = [bool(step.move) for step in lesson.steps] == [True] * (len(stages) - 1) + [False]
    learned = movers[:-1].count(LEARNER)
    require(Check.LESSON, has_one_end and LEAST_STEPS <= learned <= MOST_STEPS, "the steps", learned)


def _play(package: AnyPackage, lesson: Lesson[Any]) -> list[tuple[Any, tuple[Event, ...]]]:
    try:
        return list(play_lesson(package.game, lesson))
    except (Refusal, ValueError) as fault:
        raise BrokenContract(Check.LESSON, repr(fault)) from fault


def _check_text(
    package: AnyPackage, lesson: Lesson[Any], step: LessonStep, state: Any, events: tuple[Event, ...]
) -> None:
    """Check a text, and that the screen has the control it names."""
    text, names = step.text, NAMES[: lesson.seats]
    if step.move:
        view = package.game.view(state, None)
        look = partial(package.build_screen, view, to_news(events, names), names)
        clicks = find_clicks(step.move, look, EMPTY_DRAFT)
        require(Check.LESSON_TEXTS, bool(clicks) and _BUTTON in text, step)
        text = text.format(button=clicks[-1].label)
    require(Check.LESSON_TEXTS, len(text) <= MAX_TEXT_LENGTH, text)
