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
            N_(
                "Cards go on the items of your two assignments, and full assignments score. "
                "First open some cards: press **{button}**."
            ),
        ),
        LessonStep(
            "open",
            N_(
                "Open as many as you dare: a twin, the same card again, ends your turn. "
                "The risk is still small: **{button}**."
            ),
        ),
        LessonStep(
            "open",
            N_(
                "Two blue cards: blue is worth 2 now. Each colour and each shape is worth as many cards "
                "as you have open. One more: **{button}**."
            ),
        ),
        LessonStep("stop", N_("Blue is worth 3, and each of the three shapes 1. You can use that: **{button}**.")),
        LessonStep(
            "place blue-triangle on 1b",
            N_("An item takes a card if the value is *exactly* its number. *Triangle 1* fits now: **{button}**."),
        ),
        LessonStep(
            "place blue-square on 11b",
            N_("A placed card no longer counts, so blue is down to 2, which *blue 2* needs: **{button}**."),
        ),
        LessonStep(
            "place blue-star on 1a",
            N_("And now blue is worth 1, for *blue 1*. The order was the trick! **{button}**."),
        ),
        LessonStep("done", N_("Assignment 1 is full, and nothing else fits: press **{button}**.")),
        LessonStep(
            "take 2",
            N_(
                "1 point, and its bonus helps from your next turn on. Now take a new assignment. "
                "A small one is quick: **{button}**."
            ),
        ),
        LessonStep("open"),
        LessonStep("open"),
        LessonStep("open"),
        LessonStep("open"),
        LessonStep("open"),
        LessonStep("keep blue-star"),
        LessonStep(
            "",
            N_(
                "The computer opened a twin: it keeps one card for later and loses the others. "
                "From here it's your game: play on as you like!"
            ),
        ),
    ),
)
