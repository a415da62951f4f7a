"""The lesson of Mr. Houdini's Baggage."""

from bot.games.houdinis_baggage.pieces import BaggageOptions
from bot.rules.lesson import Lesson, LessonStep
from bot.words import N_

LESSON = Lesson(
    options=BaggageOptions(),
    seats=2,
    seed=903,
    steps=(
        LessonStep(
            "open",
            N_("Cards fill the items of your assignments. First open some: **{button}**."),
        ),
        LessonStep(
            "open",
            N_("Open as many as you dare: the same card twice ends your turn. **{button}**."),
        ),
        LessonStep(
            "open",
            N_("Two blue cards, so blue is worth 2: values count open cards. **{button}**."),
        ),
        LessonStep("stop", N_("Blue is worth 3 now, and each of the three shapes 1: **{button}**.")),
        LessonStep(
            "place blue-triangle on 1b",
            N_("Value and number must be equal: *triangle 1* fits. **{button}**."),
        ),
        LessonStep(
            "place blue-square on 11b",
            N_("A placed card no longer counts: blue is 2, for *blue 2*: **{button}**."),
        ),
        LessonStep(
            "place blue-star on 1a",
            N_("Now blue is worth 1, for *blue 1*. The order was the trick! **{button}**."),
        ),
        LessonStep("done", N_("Assignment 1 is full, and nothing else fits: **{button}**.")),
        LessonStep(
            "take 2",
            N_("1 point, and a bonus from your next turn on. Take a new one: **{button}**."),
        ),
        LessonStep("open"),
        LessonStep("open"),
        LessonStep("open"),
        LessonStep("open"),
        LessonStep("open"),
        LessonStep("keep blue-star"),
        LessonStep(
            "",
            N_("The computer opened a twin. From here it's your game: play on as you like!"),
        ),
    ),
)
