"""The lesson of Fortune."""

from bot.games.fortune.pieces import FortuneOptions
from bot.rules.lesson import Lesson, LessonStep
from bot.words import N_

_ROLL_ALL = "roll 1 2 3 4 5 6 7 8"

LESSON = Lesson(
    options=FortuneOptions(),
    seats=2,
    seed=15784,
    steps=(
        LessonStep(
            _ROLL_ALL,
            N_(
                "Roll dice for points, and stop before three skulls take them away. Each turn has a card; yours is an "
                "extra 🪙. Press **{button}**."
            ),
        ),
        LessonStep(
            "roll 3 6 7",
            N_(
                "Three of a kind score 100, and each 🪙 another 100. Skulls stay, and you have one. "
                "Keep what scores: **{button}**."
            ),
        ),
        LessonStep(
            "roll 3 6",
            N_("One more 🪙: 500 points so far. The buttons show how likely a bust is. 3% isn't much: **{button}**."),
        ),
        LessonStep(
            "stop",
            N_(
                "Four 🦜 score 200. But that's your second 💀, and a third loses it all. Take the points: **{button}**."
            ),
        ),
        LessonStep(_ROLL_ALL),
        LessonStep(
            _ROLL_ALL,
            N_(
                "The computer rolled its third skull: a bust! Your Sea Battle pays 1,000 for four ⚔️, and costs "
                "1,000 for fewer. **{button}**."
            ),
        ),
        LessonStep(
            "roll 1 6",
            N_("Three ⚔️, one to go. You can't bust with two dice and no skulls: **{button}**."),
        ),
        LessonStep(
            "stop",
            N_("The fourth ⚔️! And when all eight dice score, you get 500 more. Don't risk it now: **{button}**."),
        ),
        LessonStep(_ROLL_ALL),
        LessonStep("roll 2 4 5 6 7"),
        LessonStep("stop"),
        LessonStep(
            "",
            N_(
                "You lead 2,700 to 900, and a new card lies in front of you. "
                "From here it's your game: play on as you like!"
            ),
        ),
    ),
)
