"""The lesson of Change."""

from bot.games.change.pieces import ChangeOptions
from bot.rules.lesson import Lesson, LessonStep
from bot.words import N_

LESSON = Lesson(
    options=ChangeOptions(),
    seats=2,
    seed=3489,
    steps=(
        LessonStep(
            "roll",
            N_(
                "Be the first to get rid of all your credits, 120 each. Your piece, the Ragz, goes around the "
                "board: press **{button}**."
            ),
        ),
        LessonStep(
            "challenge",
            N_(
                "You received Greed's 10 credits. Roll 13 or more to mark Greed, and you'll release them each time "
                "someone lands there: **{button}**."
            ),
        ),
        LessonStep(
            "done", N_("16! You needed 13, so Greed has your marker now. That's all for this turn: **{button}**.")
        ),
        LessonStep("roll"),
        LessonStep("option denial"),
        LessonStep(
            "roll",
            N_(
                "The computer went to Denial: 25 credits more, but a marker on one of the most valuable spaces. "
                "Your turn: **{button}**."
            ),
        ),
        LessonStep(
            "choose myself",
            N_("A corner brings a bonus. Keep it, or give it away and draw a message card. Take it: **{button}**."),
        ),
        LessonStep(
            "option control",
            N_(
                "Once a turn, an option move takes you to another challenge space: receive its credits and try it. "
                "Choose **{button}** in the menu."
            ),
        ),
        LessonStep("roll"),
        LessonStep("choose myself"),
        LessonStep("option selfishness"),
        LessonStep("roll", N_("You have a marker on Control now. The computer got one, too. On you go: **{button}**.")),
        LessonStep(
            "done",
            N_(
                "You landed on Greed again, and this time your marker released 10 credits! "
                "End your turn here: **{button}**."
            ),
        ),
        LessonStep("roll"),
        LessonStep("option control"),
        LessonStep(
            "",
            N_(
                "The computer moved to Control, where your marker released 25! You lead with 105 to 195. "
                "From here it's your game: play on as you like!"
            ),
        ),
    ),
)
