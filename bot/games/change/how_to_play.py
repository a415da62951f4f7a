"""How to play Change."""

from collections.abc import Iterator
from functools import partial
from itertools import groupby

from bot.games.change.board import Board, SpaceKind
from bot.games.change.guide import describe_space
from bot.games.change.picture import how_to_play as pictures
from bot.games.change.pieces import ChangeOptions
from bot.rules.guide import Guide, GuidePage
from bot.words import N_, gettext as _

_CORNERS_ON_PAGE = 4


def build_guide(board: Board) -> Guide[ChangeOptions]:
    """Return the guide with the spaces of a board."""
    return Guide(
        summary=N_("Face your bad habits, place markers, and be first to get rid of your credits."),
        build_pages=lambda options: (
            *_turn_pages(board, options),
            *_challenge_pages(board),
            *_card_pages(board),
            *_space_pages(board),
            *_option_pages(board, options),
            _end_page(options),
        ),
    )


def _turn_pages(board: Board, options: ChangeOptions) -> Iterator[GuidePage]:
    """Yield goal, turn and board. Rules CH-1 to CH-4."""
    yield GuidePage(
        _("The goal"),
        _(
            "Everyone starts with **{credits}** Self Credits and twelve challenge markers. Take on your bad habits, "
            "place markers on them, and be the first without credits."
        ).format(credits=options.credits),
        partial(pictures.draw_goal, options.credits),
    )
    yield GuidePage(
        _("Your turn"),
        _(
            "Roll the two track dice, move your piece (your Ragz) and do what its space says. Then you may make one "
            "option move, play message cards, and end your turn.\n"
            "Doubles take you to Start instead: draw a message card, and your turn ends."
        ),
        pictures.draw_turn,
    )
    worth = sorted((space.credits or 0, space.name) for space in board.spaces if space.kind is SpaceKind.CHALLENGE)
    lines = (
        f"**{credits_}**: {', '.join(name for _credits, name in spaces)}"
        for credits_, spaces in groupby(worth, key=lambda each: each[0])
    )
    yield GuidePage(
        _("The board"),
        _("Most spaces are challenge spaces. Their number says how many credits they are worth:\n{spaces}").format(
            spaces="\n".join(lines)
        ),
        partial(pictures.draw_board, board),
    )
    yield GuidePage(
        _("What you see"),
        _(
            "A challenge space shows its set's letter, its name, and below them its credits and the markers on it. "
            "At the sides of the board, three markers make its picture smaller, and more replace it.\n"
            "The middle of the table shows what you may do, the space that the turn has led to and the dice, and of "
            "every player the credits left, the cards in hand and the markers on the board. A gold square on a marker "
            "means that it releases double."
        ),
        partial(pictures.draw_legend, board),
    )


def _challenge_pages(board: Board) -> Iterator[GuidePage]:
    """Yield landings, challenges and the option move. Rules CH-5 to CH-10."""
    yield GuidePage(
        _("Challenge spaces"),
        _(
            "When anyone lands on one, everyone with a marker there releases its credits. If you land there without a "
            "marker, you receive them, and you may take on the challenge."
        ),
        partial(pictures.draw_landing, board),
    )
    yield GuidePage(
        _("The challenge"),
        _(
            "Roll three dice and set the highest aside, roll the other two and set the higher aside, then roll the "
            "last one. With a total of 13 or more (58% succeed), you place a marker. Add cards can help when you fail."
        ),
        pictures.draw_challenge,
    )
    yield GuidePage(
        _("Option move"),
        _(
            "Once a turn, go to any other challenge space you haven't marked. You receive its credits, others with a "
            "marker there release theirs, and you must try the challenge. You need a marker to place."
        ),
        partial(pictures.draw_option_move, board),
    )


def _card_pages(board: Board) -> Iterator[GuidePage]:
    """Yield the message cards. Rules CH-7 and CH-M1 to CH-M4."""
    yield GuidePage(
        _("Message cards"),
        _(
            "Cards are secret: only you see yours, in *My hand*. You hold five at most; played and replaced cards go "
            "under the deck. Play them on your turn, one at a time, after you've rolled and done what your space says; "
            "Add cards after a failed challenge."
        ),
        pictures.draw_hand,
    )
    yield GuidePage(
        _("Kinds of cards"),
        _(
            "**Add** adds its number to a failed challenge.\n"
            "**Replace** puts up to that many other cards of your hand under the deck, and you draw as many.\n"
            "**A space's name**: go there instead of making an option move. You may place a marker without a "
            "challenge, and you may go to spaces you've marked.\n"
            "**Any space**: the same with any challenge space."
        ),
        partial(pictures.draw_cards, board),
    )


def _space_pages(board: Board) -> Iterator[GuidePage]:
    """Yield the other spaces. Rules CH-C0 to CH-C9 and CH-S1 to CH-S6."""
    corners = [number for number, space in enumerate(board.spaces) if space.kind is SpaceKind.CORNER]
    for first in range(0, len(corners), _CORNERS_ON_PAGE):
        part = corners[first : first + _CORNERS_ON_PAGE]
        title = _("{first} to {last}").format(first=board.spaces[part[0]].name, last=board.spaces[part[-1]].name)
        lines = (f"**{board.spaces[number].name}**: {describe_space(board.spaces[number])}" for number in part)
        yield GuidePage(title, "\n".join(lines), partial(pictures.draw_spaces, board, tuple(part)))
    others = [
        number for number, space in enumerate(board.spaces) if space.kind not in (SpaceKind.CORNER, SpaceKind.CHALLENGE)
    ]
    lines = (f"**{board.spaces[number].name}**: {describe_space(board.spaces[number])}" for number in others)
    yield GuidePage(_("Other spaces"), "\n".join(lines), partial(pictures.draw_spaces, board, tuple(others)))


def _option_pages(board: Board, options: ChangeOptions) -> Iterator[GuidePage]:
    """Yield what the table's options add. Rules CH-11 and CH-14."""
    if options.sets:
        yield GuidePage(
            _("Sets"),
            _(
                "The letter of a challenge space is its set. With markers on all three spaces of a set, you release "
                "double there from then on."
            ),
            partial(pictures.draw_set, board),
            "sets",
        )
    if options.games > 1:
        yield GuidePage(
            _("Tournament"),
            _(
                "This table plays {games} games. What you have left at the end of each adds up, and the lowest total "
                "wins. There are no tie-breaks."
            ).format(games=options.games),
            partial(pictures.draw_tournament, options.games),
            "games",
        )


def _end_page(options: ChangeOptions) -> GuidePage:
    """Return the end. Rules CH-12 and CH-13."""
    text = _(
        "If you have no credits left, you win immediately. If several players get there at the same moment, they tie. "
        "The others are ranked by what they have left, fewest first."
    )
    if options.games == 1:
        text = "\n".join((text, _("Players who tie may play a tie-break from 50 credits.")))
    return GuidePage(_("The end"), text, pictures.draw_end)
