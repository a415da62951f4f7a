"""The lesson of The Magic Bag."""

from bot.games.magic_bag.pieces import MagicBagOptions
from bot.rules.lesson import Lesson, LessonStep
from bot.words import N_

LESSON = Lesson(
    options=MagicBagOptions(),
    seats=1,
    seed=94,
    steps=(
        LessonStep(
            "roll moon",
            N_(
                "Match a row with your dice to draw coins from the bag. Row 9 has 4, 0, 3 and 3, and only the 4 is "
                "missing. **{button}** keeps the other dice."
            ),
        ),
        LessonStep(
            "claim 9",
            N_(
                "There's the 4! A row brings one coin, and one more for each star: a die with the tile's suit, too. "
                "Take it: **{button}**."
            ),
        ),
        LessonStep(
            "roll moon crown",
            N_("4 coins, 43 points! Row 5 has 1, 2 and 2, and you have both 2s. You can re-roll twice: **{button}**."),
        ),
        LessonStep(
            "roll sun moon arms",
            N_("No 1, but the crown's 4 fits row 4 with a star. One re-roll is left: **{button}**."),
        ),
        LessonStep(
            "claim 4",
            N_(
                "Row 4 is complete. After the last roll, take a row if one matches; this one brings more: **{button}**."
            ),
        ),
        LessonStep(
            "roll moon arms",
            N_("Long rows are a long shot, but bring more coins. You have the 4 and the 2 for row 8: **{button}**."),
        ),
        LessonStep(
            "roll arms",
            N_("The 0 fits, too. Only the 3 is missing, so roll just one die: **{button}**."),
        ),
        LessonStep(
            "discard crown-null tile crown-2",
            N_(
                "No row matches, so a coin must go. You may remove a tile with it. Press the green button, then "
                "**{button}**: that coin is worth nothing."
            ),
        ),
        LessonStep(
            "claim 8",
            N_("That tile was in row 8, and now the row matches! It has two stars: **{button}**."),
        ),
        LessonStep(
            "",
            N_(
                "60 points more, as pieces that touch score as a group. Row 7 needs just a 2. "
                "From here it's your game: play on as you like!"
            ),
        ),
    ),
)
