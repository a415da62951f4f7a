"""The lesson of Magpie."""

from bot.games.magpie.pieces import MagpieOptions
from bot.rules.lesson import Lesson, LessonStep
from bot.words import N_

LESSON = Lesson(
    options=MagpieOptions(),
    seats=2,
    seed=1894,
    steps=(
        LessonStep(
            "roll 1 2 4",
            N_("You all share these five dice. Two 4s match: roll the rest, **{button}**."),
        ),
        LessonStep("roll 1 2 4"),
        LessonStep(
            "roll 1 2 4",
            N_("Two pair: 1 point for each die rolled. Now tap both 4s, then **{button}**."),
        ),
        LessonStep("roll 1 4"),
        LessonStep(
            "roll 1 4",
            N_("Three of a kind: 2 points a die, 6! Go for a fourth 4: **{button}**."),
        ),
        LessonStep("roll 1 4"),
        LessonStep(
            "roll 1 4",
            N_("No points: no die you rolled joined the 4s. Try again: **{button}**."),
        ),
        LessonStep("roll 1 2"),
        LessonStep(
            "roll 1 2 4",
            N_("14 points! The computer made 22 and got fresh dice. Your turn: **{button}**."),
        ),
        LessonStep("roll 1 2 4"),
        LessonStep(
            "roll 1 2 4",
            N_("You're 2 behind. More dice pay more. Tap both 5s, then **{button}**."),
        ),
        LessonStep("roll 1 3 4"),
        LessonStep(
            "",
            N_("You lead. From here it's your game: play on as you like!"),
        ),
    ),
)
