"""What helps a learner of Change: hints with their odds, moves in words, tips and the lesson."""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from bot.games.change.board import SPACE_COUNT, Board, CardKind, Markers, Space, SpaceKind
from bot.games.change.facts import chance_of_total, corner_choice
from bot.games.change.minds.win_chances import landing_chances
from bot.games.change.moves import (
    Add,
    Challenge,
    Choose,
    Keep,
    Move,
    Myself,
    Option,
    PickSpace,
    Replace,
    Roll,
    Swap,
    Travel,
)
from bot.games.change.pieces import (
    CHALLENGE_TARGET,
    MARKERS_PER_SEAT,
    CardPlayed,
    ChangeOptions,
    GameEvent,
    Hand,
    MarkerPlaced,
    PublicState,
    Stage,
    TrackRolled,
    View,
)
from bot.games.change.turns import current_corner
from bot.games.change.words import (
    card_name,
    describe_corner_reward,
    describe_keeping,
    space_name,
)
from bot.rules.evaluation import Evaluation
from bot.rules.study import Explanation, Hints, Lesson, LessonStep, RankedMove, Tip
from bot.words import N_, format_odds, format_signed, gettext as _, join_items, ngettext, plural_number, seat_emoji

_WINNING = 500
"""More credits stand for the win that they bring."""


def _explain(view: View, best: Sequence[RankedMove[Move]], _evaluation: Evaluation) -> Explanation:
    moves = [each.move for each in best]
    odds = (*_challenge_odds(view, moves), *_set_odds(view.public, moves[0]))
    return Explanation(odds, _reason(view.public, moves[0]))


def _challenge_odds(view: View, moves: Sequence[Move]) -> Iterator[str]:
    """Yield the odds of a challenge, and where it would complete a set, if there is one among the moves."""
    public, board = view.public, view.public.board
    spaces = [_target_of(public, each) for each in moves if isinstance(each, Challenge | Option)]
    if not spaces:
        return
    alone, helped = chance_of_success(board, ()), chance_of_success(board, view.hand)
    line = _("{odds} chance that the challenge succeeds ({target} or more)")
    if helped > alone:
        line = _("{odds} chance that the challenge succeeds ({target} or more), {helped} with your Add cards")
    yield line.format(odds=format_odds(alone), target=CHALLENGE_TARGET, helped=format_odds(helped))
    lacking = _lacking_spaces(public, public.markers[public.turn])
    if completing := [space_name(board.spaces[space]) for space in spaces if space in lacking]:
        yield _("Success on {spaces} completes a set").format(spaces=join_items(completing))


def _set_odds(public: PublicState, move: Move) -> Iterator[str]:
    """Yield the odds that the next roll of the seat leads to a space that a set lacks, if its Ragz stays until then."""
    mover, board = public.mover or 0, public.board
    space, markers = _target_of(public, move), public.markers[mover]
    if isinstance(move, PickSpace) or (isinstance(move, Travel) and move.places):
        markers |= 1 << space
    lacking = [each for each in _lacking_spaces(public, markers) if each != space]
    chance = chance_of_landing(board, space, lacking)
    if chance:
        line = _("{odds} chance that your next roll leads to {space}, which one of your sets lacks")
        if len(lacking) > 1:
            line = ngettext(
                "{odds} chance that your next roll leads to the {count} space that your sets lack",
                "{odds} chance that your next roll leads to one of {count} spaces that your sets lack",
                len(lacking),
            )
        yield line.format(space=space_name(board.spaces[lacking[0]]), count=len(lacking), odds=format_odds(chance))


def _lacking_spaces(public: PublicState, markers: Markers) -> Sequence[Space]:
    return lacking_spaces(public.board, markers) if public.options.sets else ()


def _target_of(public: PublicState, move: Move) -> Space:
    """Return where the Ragz of the seat to move is after a move."""
    if isinstance(move, Option | Travel | PickSpace):
        return public.board.space_by_key[move.space]
    return public.ragz_spaces[public.mover or 0]


_REASONS: Final[Mapping[type[Move], str]] = {
    Myself: N_("The bonus is worth more than the cards you would draw."),
    Choose: N_("The cards you draw are worth more than the bonus."),
    PickSpace: N_("No other marker of yours releases more."),
    Replace: N_("New cards promise more than those."),
    Swap: N_("It's the card you need least."),
    Keep: N_("It's the card you need most."),
}
"""Why moves are best that need no figures."""


def _reason(public: PublicState, best: Move) -> str:
    board = public.board
    match best:
        case Challenge():
            return _marker_reason(public, public.ragz_spaces[public.turn], _("Trying costs nothing."))
        case Option(space):
            key = board.space_by_key[space]
            paid = _("You receive {credits} now.").format(credits=board.credits[key])
            return _marker_reason(public, key, paid)
        case Travel():
            return _travel_reason(public, best)
        case PickSpace(space) if public.stage is Stage.PLACE:
            return _marker_reason(public, board.space_by_key[space])
        case Add(card):
            line = _("Together with other cards it makes up the {missing} that the challenge lacks.")
            if board.cards[board.card_by_key[card]].amount >= public.missing:
                line = _("It makes up the {missing} that the challenge lacks.")
            return line.format(missing=public.missing)
        case _:
            reason = _REASONS.get(type(best))
            return _("Nothing else here is worth its price.") if reason is None else _(reason)


def _travel_reason(public: PublicState, move: Travel) -> str:
    space = public.board.space_by_key[move.space]
    if move.places:
        return _marker_reason(public, space, _("There is no challenge to fail."))
    change = public.change_for_lander(public.turn, space)
    if change < 0:
        return _("You land there and release {credits}.").format(credits=-change)
    return _("Nothing else here brings more.")


def _marker_reason(public: PublicState, space: int, more: str = "") -> str:
    """Say what a marker on a space brings, and whether it completes a set."""
    name, worth = space_name(public.board.spaces[space]), public.board.credits[space]
    whole, markers = public.board.set_of[space], public.markers[public.mover or 0] | 1 << space
    line = _("A marker on {space} releases {credits} whenever anyone lands there.")
    if public.options.sets and markers & whole == whole:
        line = _("A marker on {space} completes its set: it releases {credits}, doubled, at every landing.")
    return " ".join(filter(None, (line.format(space=name, credits=worth), more)))


def _format_credits(count: float) -> str:
    if count > _WINNING:
        return _("a win at once")
    line = ngettext("{credits} credit", "{credits} credits", plural_number(count))
    return line.format(credits=format_signed(count))


HINTS = Hints(_explain, _format_credits)


def lacking_spaces(board: Board, markers: Markers) -> tuple[Space, ...]:
    """Return the spaces on which a marker would complete a set, clockwise. Rules CH-9 and CH-11."""
    if markers.bit_count() == MARKERS_PER_SEAT:
        return ()
    return tuple(space for space in range(SPACE_COUNT) if board.set_of[space] & ~markers == 1 << space)


def chance_of_landing(board: Board, start: Space, spaces: Iterable[Space]) -> float:
    """Return the chance that the next track roll of a Ragz leads to one of some challenge spaces."""
    chances = landing_chances(board, start)
    return float(sum(chances[space] for space in spaces))


def chance_of_success(board: Board, hand: Hand) -> float:
    """Return the chance that a challenge succeeds with the help of all Add cards of a hand. Rules CH-6 and CH-7."""
    faces = (board.cards[card] for card in hand)
    return chance_of_total(CHALLENGE_TARGET - sum(face.amount for face in faces if face.kind is CardKind.ADD))


def describe_move(view: View, move: Move) -> str:
    """Describe a move; other seats are shown by their colours."""
    public, board = view.public, view.public.board
    text = _("End the turn")
    match move:
        case Roll():
            text = _("Roll the dice")
        case Challenge():
            text = _("Challenge {space}").format(space=space_name(board.spaces[public.ragz_spaces[public.turn]]))
        case Myself():
            text = describe_keeping(current_corner(public))
        case Choose(seats):
            reward = describe_corner_reward(current_corner(public), len(seats), room=public.room_in_hand(public.turn))
            line = _("Give it to {seats}: {reward}")
            text = line.format(seats="".join(map(seat_emoji, seats)), reward=reward)
        case Option(space) | PickSpace(space):
            text = _space_text(public, move, space)
        case Add() | Replace() | Travel() | Swap() | Keep():
            text = _card_text(public, move)
        case _:
            pass
    return text


def key_of(view: View, move: Move) -> Hashable:
    """Return what a move does: in which order replaced cards go under the deck makes no difference."""
    public = view.public
    match move:
        case Challenge():
            return move, public.ragz_spaces[public.turn]
        case Myself():
            corner = current_corner(public)
            return move, corner.action, corner.credits
        case Choose(seats):
            return move, min(public.room_in_hand(public.turn), current_corner(public).draws_for(len(seats)))
        case PickSpace():
            return move, public.stage is Stage.RETURN
        case Replace(card, others):
            return card, tuple(sorted(others))
        case _:
            return move


def _space_text(public: PublicState, move: Option | PickSpace, key: str) -> str:
    space = public.board.space_by_key[key]
    name, worth = space_name(public.board.spaces[space]), public.board.credits[space]
    if isinstance(move, Option):
        return _("Move to {space}, receive {credits}").format(space=name, credits=worth)
    line = _("Go to {space}, release {credits}") if public.stage is Stage.RETURN else _("Mark {space} ({credits})")
    return line.format(space=name, credits=worth)


_CARD_TEXTS: Final[Mapping[type[Move], str]] = {
    Add: N_("Play {card}"),
    Replace: N_("Play {card} for {others}"),
    Swap: N_("Replace {card}"),
    Keep: N_("Keep {card}"),
}


def _card_text(public: PublicState, move: Add | Replace | Travel | Swap | Keep) -> str:
    """Describe a move with message cards; on a space with a marker there is no choice to tell of. Rule CH-M4."""
    board, card = public.board, _name(public.board, move.card)
    if not isinstance(move, Travel):
        others = sorted(_name(board, other) for other in move.others) if isinstance(move, Replace) else ()
        return _(_CARD_TEXTS[type(move)]).format(card=card, others=join_items(others))
    space = board.space_by_key[move.space]
    if public.markers[public.turn] >> space & 1:
        named, blank = _("Play {card}"), _("Play {card}: go to {space}")
    elif move.places:
        named, blank = _("Play {card}, place a marker"), _("Play {card}: go to {space}, place a marker")
    else:
        named, blank = _("Play {card}, no marker"), _("Play {card}: go to {space}, no marker")
    return (named if not move.by_any else blank).format(card=card, space=space_name(board.spaces[space]))


def _name(board: Board, card: str) -> str:
    return card_name(board, board.card_by_key[card])


_CARD_TIPS: Final[Mapping[CardKind, str]] = {
    CardKind.ADD: N_("Add cards lift a challenge that fell short."),
    CardKind.REPLACE: N_("Replace cards trade others for new ones."),
    CardKind.SPACE: N_("A space card goes there: no challenge."),
    CardKind.ANY: N_("Any space: go there without a challenge."),
}

_SPACE_TIPS: Final[Mapping[SpaceKind, str]] = {
    SpaceKind.START: N_("Start: draw a card, and your turn is over."),
    SpaceKind.TAKE_A_REST: N_("Take a Rest: go to Start and draw a card."),
    SpaceKind.EMOTIONAL: N_("Emotional: roll again and move on."),
    SpaceKind.HUMILITY: N_("Humility: those with the most release 10."),
    SpaceKind.ARROGANCE: N_("Arrogance: those with the least get more."),
    SpaceKind.BACKSLIDE: N_("Backslide: keep one card, lose the others."),
}

_STAGE_TIPS: Final[Mapping[Stage, tuple[str, str]]] = {
    # A turn has one tip, so this one speaks of challenges before the first of them.
    Stage.ROLL: ("goal", N_("Mark spaces: each landing releases credits.")),
    Stage.RETURN: ("return", N_("Choose the space that is worth most.")),
    Stage.PLACE: ("place", N_("Mark a high number, or complete a set.")),
    Stage.SWAP: ("hand", N_("Choose in My hand: only you see your cards.")),
    Stage.KEEP: ("hand", N_("Choose in My hand: only you see your cards.")),
}
"""The key and the text of a stage's tip."""


def find_tips(view: View, events: Sequence[GameEvent]) -> Iterator[Tip]:
    """Yield the spaces and cards that just mattered, newest first, then what to do at this stage."""
    public = view.public
    for event in reversed(events):
        match event:
            case CardPlayed(card=card):
                kind = public.board.cards[card].kind
                yield Tip(f"card-{kind.value}", _(_CARD_TIPS[kind]), is_explanation=True)
            case TrackRolled(is_double=True):
                yield Tip("doubles", _("Doubles: go to Start, draw a card, turn over."), is_explanation=True)
            case TrackRolled(space=space):
                entry = public.board.spaces[space]
                if entry.kind in _SPACE_TIPS:
                    yield Tip(f"space-{space}", _(_SPACE_TIPS[entry.kind]), is_explanation=True)
            case MarkerPlaced(fills_set=True, seat=seat) if seat == public.mover:
                yield Tip("set", _("A full set releases double from now on."), is_explanation=True)
            case _:
                pass
    yield from _stage_tips(public)


def _stage_tips(public: PublicState) -> Iterator[Tip]:
    if public.stage in _STAGE_TIPS:
        key, text = _STAGE_TIPS[public.stage]
        yield Tip(key, _(text))
    elif public.stage is Stage.FREE:
        yield from _free_tips(public)
    elif public.stage is Stage.CORNER and (choice := corner_choice(public)).can_take:
        # Rules CH-C0 and CH-M1.
        if choice.room:
            yield Tip("corner", _("Keep the bonus, or give it away for cards."))
        else:
            yield Tip("corner-full", _("Keep the bonus: your hand has no room."))


def _free_tips(public: PublicState) -> Iterator[Tip]:
    """Yield what can be done after the roll; the screen explains the challenge. Rules CH-7 to CH-11."""
    if public.add_cards_may_help:
        yield Tip("add", _("My hand shows if you have Add cards."))
    if public.may_play_cards:
        yield Tip("cards", _("My hand shows which cards you can play."))
    if public.may_make_option_move and not public.missing:
        yield Tip("option", _("Once a turn, move on to another challenge."))


LESSON = Lesson(
    options=ChangeOptions(),
    seats=2,
    seed=3489,
    steps=(
        LessonStep(
            "roll",
            N_(
                "Be the first to get rid of all your 120 credits. Your piece, the Ragz, goes around the board: "
                "press **{button}**."
            ),
        ),
        LessonStep(
            "challenge",
            N_(
                "Greed gave you 10 credits. Roll 13 or more to mark it, and you release 10 each time someone "
                "lands there: **{button}**."
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
                "{rival} moved to Denial: 25 more credits, but a marker on one of the most valuable spaces. "
                "Your turn: **{button}**."
            ),
        ),
        LessonStep(
            "choose myself",
            N_("A corner offers a bonus: keep it, or give it away and draw a message card. Press **{button}**."),
        ),
        LessonStep(
            "option control",
            N_(
                "Once a turn, you may move to another challenge space: receive its credits and try to mark it. "
                "Choose **{button}** in the menu."
            ),
        ),
        LessonStep("roll"),
        LessonStep("choose myself"),
        LessonStep("option selfishness"),
        LessonStep("roll", N_("You have a marker on Control now. {rival} got one, too. On you go: **{button}**.")),
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
                "{rival} moved to Control, where your marker released 25! You lead with 105 to 195. "
                "Mark spaces, and landings release your credits: that's the game."
            ),
        ),
    ),
)
