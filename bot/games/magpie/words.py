"""The words of Magpie: names of combinations and options, error messages, and the length of a game."""

from bot.games.magpie.facts import square_of
from bot.games.magpie.pieces import DICE_COUNT, Combination, MagpieOptions, MagpieReason, State
from bot.rules.refusals import RefusalReason
from bot.words import N_, format_number, gettext as _, join_items

DIE_FACES = "⚀⚁⚂⚃⚄⚅"

SQUARES = "⬛🟫🟩🟨🟪"
"""What stands for the points of a roll alone, fewest first: `square_of`."""

COMBINATION_NAMES = {
    Combination.TWO_PAIR: N_("two pair"),
    Combination.THREE_OF_A_KIND: N_("three of a kind"),
    Combination.FULL_HOUSE: N_("full house"),
    Combination.FOUR_OF_A_KIND: N_("four of a kind"),
    Combination.FIVE_OF_A_KIND: N_("five of a kind"),
}
"""The names of combinations in a list or a sentence."""

COMBINATION_LABELS = {
    Combination.TWO_PAIR: N_("Two pair"),
    Combination.THREE_OF_A_KIND: N_("Three of a kind"),
    Combination.FULL_HOUSE: N_("Full house"),
    Combination.FOUR_OF_A_KIND: N_("Four of a kind"),
    Combination.FIVE_OF_A_KIND: N_("Five of a kind"),
}
"""The names of combinations where they stand alone."""


def describe_chart() -> str:
    """Return what each combination pays per rolled die. Rule MP-6."""
    # Translators: {combination} is "two pair" or another one, {points} what it pays.
    price = _("{combination} {points}")
    return join_items(
        [
            price.format(combination=_(name), points=format_number(combination))
            for combination, name in COMBINATION_NAMES.items()
        ]
    )


ERROR_MESSAGES: dict[RefusalReason, str] = {
    MagpieReason.NO_DICE: N_("Tap at least one die to roll."),
    MagpieReason.NO_SUCH_DIE: N_("There's no die {die}. The dice are numbered 1 to 5, left to right."),
    MagpieReason.DIE_TWICE: N_("You named die {die} twice. Name each die once."),
    MagpieReason.OUT_OF_ORDER: N_("Name the dice in order, lowest number first."),
}

_DEFAULTS = MagpieOptions()

_SECONDS_PER_TURN = 18
"""The average length of a person's turn, which makes a game with the default target five minutes per player."""

_POINTS_PER_ROLL = {(False, False): 6, (False, True): 9, (True, False): 11, (True, True): 13}
"""The computer player's average points per roll by (MP-V1, MP-V3); MP-V2 changes little."""


def describe_options(options: MagpieOptions) -> tuple[str, ...]:
    """Name the options that differ from the defaults."""
    variations = (
        (options.target != _DEFAULTS.target, _("first to {target}").format(target=options.target)),
        (options.double_big_rolls, _("double points for three or more dice")),
        (options.reroll_fours, _("fresh dice after four of a kind")),
        (options.five_dice_bonus, _("7+ points for rolling all five")),
    )
    return tuple(text for chosen, text in variations if chosen)


def describe_goal(options: MagpieOptions) -> str:
    """Return the score that ends the game."""
    return _("first to {target}").format(target=options.target)


def summarize(state: State) -> str:
    """Return a square for each roll of a seat alone, in two lines. Rule MP-S1."""
    squares = [SQUARES[square_of(points)] for points in state.gains]
    return "\n".join("".join(squares[first : first + DICE_COUNT]) for first in range(0, len(squares), DICE_COUNT))


def estimate_minutes(options: MagpieOptions, seats: int) -> int:
    """Return the expected minutes of a game, from the turns that it takes to reach the target."""
    turns = options.target / _POINTS_PER_ROLL[options.double_big_rolls, options.five_dice_bonus]
    return round(turns * seats * _SECONDS_PER_TURN / 60)
