"""Magpie explained, and the sentences for what its rules refuse."""

from bot.games.magpie.pieces import Combination, MagpieOptions, MagpieReason
from bot.rules.options import OptionText
from bot.rules.package import Guide
from bot.rules.refusals import RefusalReason
from bot.rules.screen import Field
from bot.words import N_, gettext as _

COMBINATION_NAMES = {
    Combination.TWO_PAIR: N_("two pair"),
    Combination.THREE_OF_A_KIND: N_("three of a kind"),
    Combination.FULL_HOUSE: N_("full house"),
    Combination.FOUR_OF_A_KIND: N_("four of a kind"),
    Combination.FIVE_OF_A_KIND: N_("five of a kind"),
}

ERROR_MESSAGES: dict[RefusalReason, str] = {
    MagpieReason.NO_DICE: N_("Choose at least one die to roll."),
    MagpieReason.NO_SUCH_DIE: N_("There is no die {die}: the dice are numbered 1 to 5 from left to right."),
    MagpieReason.DIE_TWICE: N_("Die {die} is named twice: name each die you want to roll once."),
    MagpieReason.OUT_OF_ORDER: N_("Name the dice from left to right, the lowest number first."),
}

GUIDE = Guide(
    summary=N_("Five dice shared by everybody: re-roll any of them to collect matching faces."),
    sections=(
        Field(
            N_("Your turn"),
            N_(
                "The five dice stay on the table from turn to turn. Pick one to five of them and roll just those, "
                "once. What the five dice now show as a whole is scored, provided that at least one die you rolled "
                "is part of it. The more dice you risk, the more it pays."
            ),
        ),
        Field(
            N_("Points for each die you rolled"),
            N_("two pair **1**\nthree of a kind **2**\nfull house **4**\nfour of a kind **7**\nfive of a kind **11**"),
        ),
        Field(
            N_("A clean table"),
            N_("After five of a kind all five dice are rolled again, for no points, so the next player starts afresh."),
        ),
        Field(
            N_("Start and end"),
            N_(
                "Everybody rolls five dice and the highest total starts. Their next roll only sets the table. Once "
                "somebody reaches the target (100 unless you chose another) everybody else has one more turn, and the "
                "highest score wins. Equal scores share the win."
            ),
        ),
        Field(
            N_("Variations"),
            N_(
                "*Double big rolls*: three, four or five dice rolled pay double.\n"
                "*Re-roll fours*: four of a kind clears the table too, if it scored.\n"
                "*Five-dice bonus*: rolling all five pays at least 7."
            ),
        ),
    ),
)

OPTION_TEXTS = {
    "target": OptionText(N_("Target"), N_("Once somebody reaches this score, everybody else has one more turn.")),
    "double_big_rolls": OptionText(N_("Double big rolls"), N_("Three, four or five dice rolled pay double.")),
    "reroll_fours": OptionText(N_("Re-roll fours"), N_("Four of a kind clears the table too, if it scored.")),
    "five_dice_bonus": OptionText(N_("Five-dice bonus"), N_("Rolling all five dice pays at least 7.")),
}


_DEFAULTS = MagpieOptions()


def describe_options(options: MagpieOptions) -> tuple[str, ...]:
    """Name the target and the variations in play, where they differ from the usual game."""
    variations = (
        (options.target != _DEFAULTS.target, _("first to {target}").format(target=options.target)),
        (options.double_big_rolls, _("double points for three or more dice")),
        (options.reroll_fours, _("a fresh table after four of a kind")),
        (options.five_dice_bonus, _("at least 7 points for rolling all five")),
    )
    return tuple(text for chosen, text in variations if chosen)
