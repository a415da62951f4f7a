"""Change explained, its words, and the sentences for what its rules refuse."""

from collections.abc import Iterator
from itertools import groupby

from bot.games.change.board import Board, Card, CardKind, CornerAction, Others, SpaceEntry, SpaceKind
from bot.games.change.pieces import MAX_HAND_SIZE, SHORT_CREDITS, ChangeOptions, ChangeReason
from bot.rules.options import OptionText
from bot.rules.package import Guide
from bot.rules.refusals import RefusalReason
from bot.rules.screen import Field
from bot.words import N_, format_number, gettext as _, ngettext

ERROR_MESSAGES: dict[RefusalReason, str] = {
    ChangeReason.ROLL_FIRST: N_("A turn begins with the track dice: roll first."),
    ChangeReason.ROLLED_ALREADY: N_("You have rolled already: go on from here, or end your turn."),
    ChangeReason.CHOOSE_FIRST: N_("Choose first who does what the corner says: yourself, or others."),
    ChangeReason.SPACE_FIRST: N_("Choose a challenge space first, as the corner says."),
    ChangeReason.CARD_FIRST: N_("Choose first which of your message cards is replaced: press *My hand*."),
    ChangeReason.KEEP_FIRST: N_("Choose first which message card you keep: press *My hand*."),
    ChangeReason.NOTHING_TO_CHOOSE: N_("There is nothing to choose now: go on with your turn, or end it."),
    ChangeReason.NO_CHALLENGE: N_(
        "There is no challenge to take on here: an option move leads to one, if it is still open."
    ),
    ChangeReason.OPTION_USED: N_(
        "Only one option move or space card in a turn, and you have made it: go on without another, or end your turn."
    ),
    ChangeReason.NO_MARKERS_LEFT: N_(
        "All twelve of your challenge markers are on the board: use a space card without placing one, or end your turn."
    ),
    ChangeReason.MARKER_THERE: N_("You have a marker on {space} already: choose a space without one."),
    ChangeReason.NO_MARKER_THERE: N_("You have no marker on {space}: choose a space with one."),
    ChangeReason.STANDING_THERE: N_("Your Ragz stands on {space}: an option move leads to another space."),
    ChangeReason.NOT_HELD: N_("You don't hold the card {card}: *My hand* shows what you have."),
    ChangeReason.NOTHING_TO_ADD_TO: N_(
        "Add cards help only after a challenge that has failed, while you are still there."
    ),
    ChangeReason.NOTHING_REPLACED: N_("A Replace card is never played alone: name the cards it replaces too."),
    ChangeReason.TOO_MANY_REPLACED: N_("This card replaces {most} at most: name fewer cards."),
    ChangeReason.NOBODY_CHOSEN: N_("Choose yourself, or somebody else."),
    ChangeReason.NOT_YOURSELF: N_("Choose either yourself or others."),
    ChangeReason.NOT_ABLE: N_("Choose only others who can do what the corner says: the table shows who they are."),
    ChangeReason.ONE_ONLY: N_("This corner lets one other player act: choose one."),
    ChangeReason.ALL_OF_THEM: N_("This corner lets all the others act, or you: choose all of them, or yourself."),
    ChangeReason.SEAT_TWICE: N_("Name each player once."),
    ChangeReason.YOU_CANNOT: N_("You can't do what this corner says: choose somebody else."),
}


def format_credits(count: int) -> str:
    """Write a number of Self Credits with its unit."""
    return ngettext("{count} credit", "{count} credits", count).format(count=format_number(count))


OPTION_TEXTS = {
    "credits": OptionText(
        N_("Self Credits"), N_("What everybody starts with: 120 in the standard game, 50 in the short one.")
    ),
    "sets": OptionText(N_("Sets"), N_("Whoever has markers on all three spaces of a colour releases double there.")),
    "games": OptionText(
        N_("Games"), N_("More than one make a tournament: what is left after each adds up, and the lowest sum wins.")
    ),
}


def describe_options(options: ChangeOptions) -> tuple[str, ...]:
    """Name what differs from the standard game."""
    usual = ChangeOptions()
    is_short = options.credits == SHORT_CREDITS
    length = _("the short game, from {credits} credits") if is_short else _("from {credits} credits")
    told = (
        (options.credits != usual.credits, length.format(credits=options.credits)),
        (not options.sets, _("without sets")),
        (options.games != usual.games, _("a tournament of {games} games").format(games=options.games)),
    )
    return tuple(text for chosen, text in told if chosen)


_SPACE_RULES = {
    SpaceKind.START: N_("draw a card, and your turn is over"),
    SpaceKind.TAKE_A_REST: N_("go to Start, draw a card, and your turn is over"),
    SpaceKind.EMOTIONAL: N_("roll again and move on"),
    SpaceKind.HUMILITY: N_("whoever has the most credits releases 10"),
    SpaceKind.ARROGANCE: N_("whoever has the fewest rolls three dice and receives them"),
    SpaceKind.BACKSLIDE: N_("keep one of your cards and lose the others"),
}
"""What the six other spaces do. Rules CH-S1 to CH-S6."""

_OTHERS_TEXTS = {Others.ONE: N_("one other"), Others.SEVERAL: N_("others"), Others.ALL: N_("all the others")}


def describe_corner_action(corner: SpaceEntry) -> str:
    """Say what is done at a corner. Rules CH-C1 to CH-C8."""
    words = {
        CornerAction.RELEASE: _("release {credits}"),
        CornerAction.REPLACE: _("replace a message card"),
        CornerAction.ROLL: _("roll three dice and release the total"),
        CornerAction.RETURN: _("go to a space with an own marker and release its credits"),
        CornerAction.PLACE: _("place a marker on any challenge space and go there"),
    }
    return words[corner.action or CornerAction.RELEASE].format(credits=corner.credits)


def describe_corner_others(corner: SpaceEntry) -> str:
    """Say how many others a corner lets act. Rules CH-C1 to CH-C8."""
    return _(_OTHERS_TEXTS[corner.others or Others.ONE])


def describe_corner_reward(corner: SpaceEntry, count: int = 1, *, room: int = MAX_HAND_SIZE) -> str:
    """Say what the lander draws when so many others do it, as far as there is room in the hand. Rules CH-C0, CH-M1."""
    draws = min(room, (corner.draws or 0) * (count if corner.others is Others.SEVERAL else 1))
    if not draws:
        return _("draw no card")
    return ngettext("draw {draws} card", "draw {draws} cards", draws).format(draws=draws)


def card_name(board: Board, card: Card) -> str:
    """Name a message card."""
    face = board.cards[card]
    match face.kind:
        case CardKind.ADD:
            return _("Add {points}").format(points=face.amount)
        case CardKind.REPLACE:
            return _("Replace {most}").format(most=face.amount)
        case CardKind.SPACE:
            return board.spaces[face.space or 0].name
        case CardKind.ANY:
            return _("Any space")


def describe_card(board: Board, card: Card) -> str:
    """Say what a message card is for."""
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
            return _("leads there without a challenge")
        case CardKind.ANY:
            return _("leads to any challenge space without one")


def build_guide(board: Board) -> Guide:
    """Explain the game with all spaces and cards of the board."""
    return Guide(
        summary=N_(
            "A race around a board of bad habits: place markers by dice, and be the first without Self Credits."
        ),
        sections=(*_TURN_SECTIONS, *_space_fields(board), *_card_fields(board), *_END_SECTIONS),
    )


_TURN_SECTIONS = (
    Field(
        N_("Your turn"),
        N_(
            "You start with 120 Self Credits and twelve challenge markers, and want to be rid of the credits. Roll "
            "the two track dice, move your Ragz and act on the space. Doubles take you to Start instead: draw a "
            "message card, and your turn is over. Then you may make one option move, play message cards, and end "
            "your turn."
        ),
    ),
    Field(
        N_("Challenge spaces"),
        N_(
            "Whenever anybody lands on one, everybody with a marker there releases its credits. If you land there "
            "without a marker you receive them, and may take on the challenge: roll three dice and set the largest "
            "aside, roll the other two and set the larger aside, roll the last one. 13 or more in total place your "
            "marker; that works out in 58 of 100. Message cards can help when it fails."
        ),
    ),
    Field(
        N_("Option move"),
        N_(
            "Once in a turn, go to any other challenge space without a marker of yours. You receive its credits, the"
            " others release theirs, and the challenge must be tried. You need a marker for it."
        ),
    ),
    Field(
        N_("Sets"),
        N_(
            "With markers on all three spaces of a set you release double there from then on. An option turns this off."
        ),
    ),
)

_END_SECTIONS = (
    Field(
        N_("The end"),
        N_(
            "Who has no credits left wins at once; several at the same moment tie, and may play a tie-break from 50 "
            "credits. The others are ranked by what they have left. In a tournament that adds up from game to game, "
            "and the lowest sum wins."
        ),
    ),
)


def _space_fields(board: Board) -> Iterator[Field]:
    """Tell every space of the board, by its number from Start."""
    numbered = [(at, space) for at, space in enumerate(board.spaces)]
    by_set: dict[str, list[str]] = {}
    for at, space in numbered:
        if space.set:
            by_set.setdefault(space.set, []).append(f"{at} {space.name} **{space.credits}**")
    yield Field(
        N_("The challenge spaces, set by set"), "\n".join(f"{name}: {', '.join(all_)}" for name, all_ in by_set.items())
    )
    corners = [(at, space) for at, space in numbered if space.kind is SpaceKind.CORNER]
    lines = [f"{at} {describe_space(space)}" for at, space in corners]
    yield Field(N_("The corners: do it, or let it be done"), "\n".join(lines))
    others = [f"{at} {space.name}: {describe_space(space)}" for at, space in numbered if space.kind in _SPACE_RULES]
    yield Field(N_("The other spaces"), "\n".join(others))


def describe_space(space: SpaceEntry) -> str:
    """Say what a space asks of whoever lands there; of a challenge space, what it is worth."""
    if space.kind is SpaceKind.CORNER:
        line = _("{deed}, or let {others} do it and {reward}")
        return line.format(
            deed=describe_corner_action(space), others=describe_corner_others(space), reward=_describe_reward(space)
        )
    if space.kind is SpaceKind.CHALLENGE:
        return _("worth {credits}, set {set}").format(credits=space.credits, set=space.set)
    return _(_SPACE_RULES[space.kind])


def _describe_reward(corner: SpaceEntry) -> str:
    each = describe_corner_reward(corner)
    return _("{reward} for each").format(reward=each) if corner.others is Others.SEVERAL else each


def _card_fields(board: Board) -> Iterator[Field]:
    """Tell every message card, with how many there are."""
    counts = {card: len(list(group)) for card, group in groupby(board.deck)}
    plain = [card for card in counts if board.cards[card].kind is not CardKind.SPACE]
    lines = [f"{counts[card]} × **{card_name(board, card)}** {describe_card(board, card)}" for card in plain]
    spaces = sum(count for card, count in counts.items() if board.cards[card].kind is CardKind.SPACE)
    named = _(
        "{count} cards with the name of a challenge space: each leads there, in place of the option move. No "
        "challenge is needed to place a marker, and you may go where you have one."
    )
    lines.append(named.format(count=spaces))
    hold = _(
        "Cards are secret: *My hand* shows yours to you alone. You hold five at most, and what is played or replaced"
        " goes under the deck. Play them in your turn once your space is done, one at a time; Add cards after a "
        "failed challenge."
    )
    yield Field(N_("Message cards"), "\n".join((hold, *lines)))
