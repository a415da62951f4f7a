"""The words of Change: error messages, prompts, names of spaces, cards and dice, and the length of a game."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Final, NamedTuple

from bot.games.change.board import Board, Card, CardKind, CornerAction, Others, SpaceEntry, SpaceKind
from bot.games.change.facts import CornerChoice, Step, open_steps
from bot.games.change.pieces import MAX_HAND_SIZE, SHORT_CREDITS, ChangeOptions, ChangeReason, PublicState, Stage
from bot.rules.refusals import RefusalReason
from bot.words import N_, NC_, format_number, gettext as _, list_facts, ngettext, pgettext, seat_emoji, with_note

SPACE_NAMES: Final = (
    NC_("space", "Start"),
    NC_("space", "Habits"),
    NC_("space", "Excuses"),
    NC_("space", "Bin 10"),
    NC_("space", "Stall"),
    NC_("space", "Desires"),
    NC_("space", "Greed"),
    NC_("space", "Gossip"),
    NC_("space", "Humility"),
    NC_("space", "Envy"),
    NC_("space", "Vanity"),
    NC_("space", "Fountain"),
    NC_("space", "Bin 15"),
    NC_("space", "Anger"),
    NC_("space", "Emotional"),
    NC_("space", "Pride"),
    NC_("space", "Take a Rest"),
    NC_("space", "Worry"),
    NC_("space", "Doubt"),
    NC_("space", "Signpost"),
    NC_("space", "Fear"),
    NC_("space", "Backslide"),
    NC_("space", "Resentment"),
    NC_("space", "Arrogance"),
    NC_("space", "Blame"),
    NC_("space", "Grudges"),
    NC_("space", "Bin 20"),
    NC_("space", "Flag"),
    NC_("space", "Denial"),
    NC_("space", "Control"),
    NC_("space", "Selfishness"),
)
"""The names that the board's file gives to spaces, for translation."""

ERROR_MESSAGES: dict[RefusalReason, str] = {
    ChangeReason.ROLL_FIRST: N_("Roll the track dice first."),
    ChangeReason.ROLLED_ALREADY: N_("You've already rolled. Go on from here, or end your turn."),
    ChangeReason.CHOOSE_FIRST: N_("First choose who gets the corner's bonus: you, or others."),
    ChangeReason.SPACE_FIRST: N_("First choose a challenge space, as the corner says."),
    ChangeReason.CARD_FIRST: N_("First choose a message card to replace: press *My hand*."),
    ChangeReason.KEEP_FIRST: N_("First choose a message card to keep: press *My hand*."),
    ChangeReason.NOTHING_TO_CHOOSE: N_("There's nothing to choose now. Go on with your turn, or end it."),
    ChangeReason.NO_CHALLENGE: N_(
        "There's no challenge here. Move to another space, if you haven't done so this turn."
    ),
    ChangeReason.OPTION_USED: N_(
        "You can move to another space once a turn, and you've done so. Play other cards, or end your turn."
    ),
    ChangeReason.NO_MARKERS_LEFT: N_(
        "All twelve of your markers are on the board. Use a space card without placing one, or end your turn."
    ),
    ChangeReason.MARKER_THERE: N_("You already have a marker on `{space}`. Choose a space without one."),
    ChangeReason.NO_MARKER_THERE: N_("You have no marker on `{space}`. Choose a space with one."),
    ChangeReason.STANDING_THERE: N_("You're already on `{space}`. Choose another space."),
    ChangeReason.NOT_HELD: N_("You don't have the card `{card}`. *My hand* shows what you have."),
    ChangeReason.NOTHING_TO_ADD_TO: N_("Add cards only help after a failed challenge, while you're still there."),
    ChangeReason.NOTHING_REPLACED: N_("You can't play a Replace card alone. Name the cards it replaces, too."),
    ChangeReason.TOO_MANY_REPLACED: N_("This card doesn't replace as many: {most} at most. Name fewer cards."),
    ChangeReason.NOBODY_CHOSEN: N_("Choose yourself, or someone else."),
    ChangeReason.NOT_YOURSELF: N_("Choose either yourself or others."),
    ChangeReason.NOT_ABLE: N_("Choose only players who can do what the corner says. The table shows who can."),
    ChangeReason.ONE_ONLY: N_("This corner's bonus goes to one other player. Choose one."),
    ChangeReason.ALL_OF_THEM: N_(
        "This corner's bonus goes to you or to all the others. Choose all of them, or yourself."
    ),
    ChangeReason.SEAT_TWICE: N_("Name each player once."),
    ChangeReason.YOU_CANNOT: N_("You can't do what this corner says. Choose someone else."),
}

_AT_THE_TABLE = N_("You can't play yet: choose at the table first.")


class Prompt(NamedTuple):
    """How a seat is asked to decide."""

    on_screen: str
    spoken: str
    in_hand: str = _AT_THE_TABLE
    """What its hand says."""


PROMPTS: Final[Mapping[Stage, Prompt]] = {
    Stage.ROLL: Prompt(
        N_("{name}, roll the track dice."),
        N_("It's {name}'s turn to roll the two track dice."),
        N_("On your turn, first roll and do what your space says. Then you can play cards."),
    ),
    Stage.FREE: Prompt(
        N_("You can: {steps}; end your turn."),
        N_("They can: {steps}; end their turn."),
        N_("You can play {cards} now."),
    ),
    Stage.CORNER: Prompt(
        "**{corner}**: {action}. {giving}",
        N_("{name} is at {corner}: {action}. {giving}"),
    ),
    Stage.RETURN: Prompt(
        N_("{name}, choose one of your markers. Go there and release its credits."),
        N_("{name} chooses one of their own markers, goes there and releases its credits."),
    ),
    Stage.PLACE: Prompt(
        N_("{name}, choose a challenge space for a marker. You go there, but no credits change hands."),
        N_("{name} chooses a challenge space for a new marker and goes there, but no credits change hands."),
    ),
    Stage.SWAP: Prompt(
        N_("{name}, choose a card to replace in *My hand*."),
        N_("{name} chooses a message card from their hand to replace."),
        N_("Choose a card to replace. It goes under the deck unseen, and you draw another."),
    ),
    Stage.KEEP: Prompt(
        N_("{name}, choose one card to keep in *My hand*."),
        N_("{name} chooses the one message card to keep from their hand."),
        N_("Choose one card to keep. The others go under the deck unseen."),
    ),
}

_NOTHING_LEFT: Final = PROMPTS[Stage.FREE]._replace(
    on_screen=N_("Nothing left to do."), spoken=N_("They can only end their turn.")
)


def prompt_of(public: PublicState) -> Prompt:
    """Return how the mover is asked. Rules CH-6 to CH-8 and CH-C0."""
    match public.stage:
        case Stage.FREE if not open_steps(public):
            return _NOTHING_LEFT
        case stage:
            return PROMPTS[stage]


class StepWords(NamedTuple):
    """How a step that a turn may go on with is named."""

    on_screen: str
    spoken: str


STEPS: Final[Mapping[Step, StepWords]] = {
    Step.CHALLENGE: StepWords(
        N_("take on the challenge"),
        N_(
            "take on the challenge of {space}: the best of three dice, the best of two and one more must total "
            "{points} or more to mark it"
        ),
    ),
    Step.OPTION_MOVE: StepWords(
        N_("move to another space"),
        N_("move to another challenge space they haven't marked"),
    ),
    Step.CARDS: StepWords(N_("play cards"), N_("play message cards")),
}

_GIVING: Final[Mapping[Others, str]] = {
    Others.ONE: N_("Or give the bonus to another player: {reward}."),
    Others.SEVERAL: N_("Or give the bonus to others: {reward}."),
    Others.ALL: N_("Or give the bonus to all the others: {reward}."),
}
_ONLY_GIVING: Final[Mapping[Others, str]] = {
    Others.ONE: N_("That's not possible now, so give the bonus to another player: {reward}."),
    Others.SEVERAL: N_("That's not possible now, so give the bonus to others: {reward}."),
    Others.ALL: N_("That's not possible now, so give the bonus to all the others: {reward}."),
}
_CORNER_RULES: Final[Mapping[Others, str]] = {
    Others.ONE: N_("{action}; or give it to another player: {reward}"),
    Others.SEVERAL: N_("{action}; or give it to others: {reward}"),
    Others.ALL: N_("{action}; or give it to all the others: {reward}"),
}
DIE_FACES = "⚀⚁⚂⚃⚄⚅"
_MIN_SEATS = 2
_MOVES_PER_MINUTE = 6


def format_credits(count: int) -> str:
    """Return a number of Self Credits with the unit."""
    return ngettext("{count} credit", "{count} credits", count).format(count=format_number(count))


def describe_goal(options: ChangeOptions) -> str:
    """Return where everyone starts and what wins."""
    return _("from {credits} to 0").format(credits=options.credits)


def describe_options(options: ChangeOptions) -> tuple[str, ...]:
    """Name what differs from the standard game."""
    usual = ChangeOptions()
    length, games = format_credits(options.credits), options.games
    if options.credits == SHORT_CREDITS:
        length = _("{credits} (short game)").format(credits=length)
    tournament = ngettext("tournament of {games} game", "tournament of {games} games", games)
    sentences = (
        (options.credits != usual.credits, length),
        (not options.sets, _("no sets")),
        (games != usual.games, tournament.format(games=games)),
    )
    return tuple(text for chosen, text in sentences if chosen)


def space_name(space: SpaceEntry) -> str:
    """Return the name of a space."""
    return pgettext("space", space.name)


_SPACE_RULES = {
    SpaceKind.START: N_("draw a card; your turn ends"),
    SpaceKind.TAKE_A_REST: N_("go to Start and draw a card; your turn ends"),
    SpaceKind.EMOTIONAL: N_("roll again and move on"),
    SpaceKind.HUMILITY: N_("the players with the most credits release 10"),
    SpaceKind.ARROGANCE: N_("the players with the fewest credits each roll three dice and receive the total"),
    SpaceKind.BACKSLIDE: N_("keep one of your cards and lose the rest"),
}
"""The effects of the other spaces. Rules CH-S1 to CH-S6."""

_SHORT_SPACE_RULES = {
    SpaceKind.START: N_("draw a card"),
    SpaceKind.TAKE_A_REST: N_("to Start, draw a card"),
    SpaceKind.EMOTIONAL: N_("roll again, move on"),
    SpaceKind.HUMILITY: N_("most credits: −10"),
    SpaceKind.ARROGANCE: N_("fewest credits: +3 dice"),
    SpaceKind.BACKSLIDE: N_("keep only one card"),
}

_CORNER_ACTIONS = {
    CornerAction.RELEASE: N_("release {credits}"),
    CornerAction.REPLACE: N_("replace a message card"),
    CornerAction.ROLL: N_("roll three dice and release the total"),
    CornerAction.RETURN: N_("go to one of your marked spaces and release its credits"),
    CornerAction.PLACE: N_("place a marker on any challenge space and go there"),
}

_SHORT_CORNER_ACTIONS = {
    CornerAction.RELEASE: N_("release {credits}"),
    CornerAction.REPLACE: N_("replace a card"),
    CornerAction.ROLL: N_("roll 3, release the sum"),
    CornerAction.RETURN: N_("release at your marker"),
    CornerAction.PLACE: N_("place a marker"),
}


def describe_corner_action(corner: SpaceEntry) -> str:
    """Return what a corner says to do. Rules CH-C1 to CH-C8."""
    return _format_action(corner, _CORNER_ACTIONS)


def describe_keeping(corner: SpaceEntry) -> str:
    """Label the button of a lander who follows a corner instead of giving the bonus away. Rule CH-C0."""
    return _("Keep: {action}").format(action=summarize_space(corner))


def summarize_space(space: SpaceEntry) -> str:
    """Return in a few words what a space says; of a corner what is done there."""
    if space.kind is SpaceKind.CORNER:
        return _format_action(space, _SHORT_CORNER_ACTIONS)
    if space.kind is SpaceKind.CHALLENGE:
        return format_credits(space.credits or 0)
    return _(_SHORT_SPACE_RULES[space.kind])


def _format_action(corner: SpaceEntry, texts: Mapping[CornerAction, str]) -> str:
    return _(texts[corner.action or CornerAction.RELEASE]).format(credits=corner.credits)


def describe_corner_reward(corner: SpaceEntry, count: int = 1, *, room: int = MAX_HAND_SIZE) -> str:
    """Return what the lander draws if `count` others follow the corner and the hand has `room`. Rules CH-C0, CH-M1."""
    draws = min(room, corner.draws_for(count))
    if not draws:
        return _("draw nothing")
    return ngettext("draw {draws} card", "draw {draws} cards", draws).format(draws=draws)


def describe_corner(choice: CornerChoice) -> dict[str, str]:
    """Return the words of a corner's prompts: what it says, whom for, and what that brings. Rules CH-C0 and CH-M1."""
    corner, room = choice.corner, choice.room
    reward, most = describe_corner_reward(corner, room=room), corner.draws or 0
    if room and corner.others is Others.SEVERAL:
        reward, most = _describe_reward_for_each(min(room, most)), most * len(choice.others)
    if not room:
        reward = _("draw nothing, as the hand is full")
    elif most > room:
        limit = _("room in the hand: {room}").format(room=room)
        reward = with_note(reward, limit)
    giving = (_GIVING if choice.can_take else _ONLY_GIVING)[corner.others or Others.ONE]
    action = describe_corner_action(corner)
    return {"corner": space_name(corner), "action": action, "giving": _(giving).format(reward=reward)}


def _describe_reward_for_each(draws: int) -> str:
    """Return what the lander draws for each of the others that follow a corner. Rule CH-C0."""
    line = ngettext("draw {draws} card for each of them", "draw {draws} cards for each of them", draws)
    return line.format(draws=draws)


def card_name(board: Board, card: Card) -> str:
    """Return the name of a message card."""
    face = board.cards[card]
    match face.kind:
        case CardKind.ADD:
            return _("Add {points}").format(points=face.amount)
        case CardKind.REPLACE:
            return _("Replace {most}").format(most=face.amount)
        case CardKind.SPACE:
            return space_name(board.spaces[face.space or 0])
        case CardKind.ANY:
            return _("Any space")


def describe_card(board: Board, card: Card) -> str:
    """Return what a message card does."""
    face = board.cards[card]
    match face.kind:
        case CardKind.ADD:
            return ngettext(
                "adds {points} to a failed challenge", "adds {points} to a failed challenge", face.amount
            ).format(points=face.amount)
        case CardKind.REPLACE:
            return ngettext("replaces one other card", "replaces up to {most} other cards", face.amount).format(
                most=face.amount
            )
        case CardKind.SPACE:
            return _("go there without a challenge")
        case CardKind.ANY:
            return _("go to any challenge space without a challenge")


def describe_space(space: SpaceEntry) -> str:
    """Return what happens at a space, or the credits and set of a challenge space."""
    if space.kind is SpaceKind.CORNER:
        is_each = space.others is Others.SEVERAL
        reward = _describe_reward_for_each(space.draws or 0) if is_each else describe_corner_reward(space)
        line = _(_CORNER_RULES[space.others or Others.ONE])
        return line.format(action=describe_corner_action(space), reward=reward)
    if space.kind is SpaceKind.CHALLENGE:
        return _("worth {credits}, set {set}").format(credits=space.credits, set=space.set)
    return _(_SPACE_RULES[space.kind])


def format_dice(dice: Sequence[int]) -> str:
    """Return dice as symbols."""
    return "".join(DIE_FACES[face - 1] for face in dice)


def roll_off_line(public: PublicState) -> str:
    """Return every round of the roll-off, by seats instead of names, as players may have changed. Rule CH-2."""
    rounds = (
        list_facts(f"{seat_emoji(seat)} {format_dice(dice)}" for seat, dice in round_.rolls)
        for round_ in public.roll_off
    )
    tie = _("{rounds}; tied, re-roll: {totals}")
    told = reduce(lambda before, totals: tie.format(rounds=before, totals=totals), rounds)
    starter = seat_emoji(public.roll_off[-1].leaders[0])
    return _("🎲 Roll-off: {rounds}. {seat} starts.").format(rounds=told, seat=starter)


_WITH_SETS = {
    20: (69, 67, 58, 57, 45),
    50: (97, 103, 104, 104, 99),
    120: (124, 136, 137, 139, 127),
    200: (142, 154, 156, 162, 156),
    300: (160, 170, 173, 179, 176),
}
"""The mean number of moves in a game, by credits and for two to six seats."""

_WITHOUT = {
    20: (74, 68, 65, 56, 46),
    50: (127, 139, 141, 149, 123),
    120: (170, 193, 206, 210, 194),
    300: (243, 282, 287, 300, 285),
}


def estimate_minutes(options: ChangeOptions, seats: int) -> int:
    """Return the expected minutes of a game, interpolated between the measured numbers of credits."""
    measured = _WITH_SETS if options.sets else _WITHOUT
    credit_counts = list(measured)
    upper = credit_counts[max(1, bisect_left(credit_counts, options.credits))]
    lower = credit_counts[credit_counts.index(upper) - 1]
    below, above = (measured[count][seats - _MIN_SEATS] for count in (lower, upper))
    moves = below + (above - below) * (options.credits - lower) / (upper - lower)
    return round(moves / _MOVES_PER_MINUTE)
