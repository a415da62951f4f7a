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
            N_(
                "You all share these five dice. Re-roll some, and score what the five make then. "
                "You have two 4s to begin with: press **{button}**."
            ),
        ),
        LessonStep("roll 1 2 4"),
        LessonStep(
            "roll 1 2 4",
            N_(
                "You both made two pair: 1 point for each of the 3 dice rolled. Now choose for yourself: "
                "tap both 4s, then press **{button}**."
            ),
        ),
        LessonStep("roll 1 4"),
        LessonStep(
            "roll 1 4",
            N_(
                "Three of a kind pays 2 for each die: 6 points! The computer missed. "
                "Go for a fourth 4: press **{button}**."
            ),
        ),
        LessonStep("roll 1 4"),
        LessonStep(
            "roll 1 4",
            N_(
                "No points: none of the dice you rolled joined the 4s, and those on the table don't score by "
                "themselves. The computer missed, too. Again: **{button}**."
            ),
        ),
        LessonStep("roll 1 2"),
        LessonStep(
            "roll 1 2 4",
            N_(
                "Four of a kind, 14 points! Then the computer made five: 22, and all dice were re-rolled. "
                "Start again with the two 5s: **{button}**."
            ),
        ),
        LessonStep("roll 1 2 4"),
        LessonStep(
            "roll 1 2 4",
            N_(
                "You're 2 points behind. More dice pay more, but it's harder to match them. "
                "Tap both 5s to keep them, then press **{button}**."
            ),
        ),
        LessonStep("roll 1 3 4"),
        LessonStep(
            "",
            N_("You lead, and it's your turn. From here it's your game: play on as you like!"),
        ),
    ),
)
