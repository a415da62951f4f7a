"""Change told: the whole table in plain words, and what its picture shows in a few."""

from collections.abc import Iterator, Sequence

from bot.games.change.board import Others, spaces_in
from bot.games.change.corners import can_act_at_corner, current_corner, eligible_others
from bot.games.change.guide import (
    describe_corner_action,
    describe_corner_others,
    describe_corner_reward,
    describe_options,
    describe_space,
)
from bot.games.change.pieces import CHALLENGE_TARGET, MARKERS_PER_SEAT, PublicState, Stage, View
from bot.games.change.series import rank_by_fewest_credits
from bot.rules.game import Seat
from bot.words import N_, game_over_text, gettext as _, join_items, ngettext


def build_reading(view: View, names: Sequence[str]) -> str:
    """Tell whose turn it is, what they can do, how everybody stands, and the board; no card is named."""
    public = view.public
    parts = [
        _turn_text(public, names),
        *(_seat_text(public, seat, name) for seat, name in enumerate(names)),
        _("Whoever is rid of all their Self Credits first wins."),
        _board_text(public),
    ]
    if options := describe_options(public.options):
        parts.append(_("Played with: {options}.").format(options=join_items(options)))
    return "\n\n".join(parts)


_PROMPTS = {
    Stage.ROLL: N_("{name} is to roll the two track dice, which is how a turn begins."),
    Stage.RETURN: N_("{name} is to choose one of their own markers: they go there and release its credits."),
    Stage.PLACE: N_("{name} is to choose a challenge space for a new marker, and goes there for nothing."),
    Stage.SWAP: N_("{name} is to choose, in their own hand, the message card that is replaced."),
    Stage.KEEP: N_("{name} is to choose, in their own hand, the one message card they keep."),
}


def _turn_text(public: PublicState, names: Sequence[str]) -> str:
    if public.mover is None:
        return _end_text(public, names)
    name = names[public.mover]
    if public.stage is Stage.FREE:
        return " ".join(_options_left_text(public, name))
    if public.stage is Stage.CORNER:
        return _corner_text(public, names)
    told = _(_PROMPTS[public.stage]).format(name=name)
    if public.mover == public.turn:
        return told
    return _("It is the turn of {name}, who has stopped at a corner. {told}").format(name=names[public.turn], told=told)


def _end_text(public: PublicState, names: Sequence[str]) -> str:
    """Tell who has won. Rule CH-12."""
    winners = [name for name, place in zip(names, rank_by_fewest_credits(public.credits), strict=True) if place == 1]
    return game_over_text(winners)


def _options_left_text(public: PublicState, name: str) -> Iterator[str]:
    """Tell what a turn allows after its roll. Rules CH-6 to CH-8 and CH-M2."""
    here = public.board.spaces[public.squares[public.turn]].name
    steps = []
    if public.may_challenge:
        challenge = _("take on the challenge of {space}, which takes {points} points of dice")
        steps.append(challenge.format(space=here, points=CHALLENGE_TARGET))
    if public.may_travel and public.markers_left(public.turn):
        steps.append(_("make an option move to another challenge space without a marker of theirs"))
    if public.may_play_cards:
        steps.append(_("play message cards"))
    yield _("It is the turn of {name}, who stands on {space}.").format(name=name, space=here)
    if public.missing:
        missing = ngettext(
            "Their challenge there is {count} point short.",
            "Their challenge there is {count} points short.",
            public.missing,
        )
        if public.held[public.turn]:
            missing = ngettext(
                "Their challenge there is {count} point short, which Add cards can make up for.",
                "Their challenge there is {count} points short, which Add cards can make up for.",
                public.missing,
            )
        yield missing.format(count=public.missing)
    if steps:
        yield _("They can {steps}; or end their turn.").format(steps="; ".join(steps))
    else:
        yield _("All they can do is end their turn.")


def _corner_text(public: PublicState, names: Sequence[str]) -> str:
    """Tell what the corner asks for, and who could do it. Rule CH-C0."""
    corner, turn, room = current_corner(public), public.turn, public.room_in_hand(public.turn)
    if can_act_at_corner(public, corner, turn):
        line = _("{name} has come to {corner}: they {deed}, or let {others} do it and {reward}{each}.")
    else:
        line = _(
            "{name} has come to {corner}, where one would {deed}; they can't, so they let {others} do it and "
            "{reward}{each}."
        )
    told = line.format(
        name=names[turn],
        corner=corner.name,
        deed=describe_corner_action(corner),
        others=describe_corner_others(corner),
        reward=describe_corner_reward(corner, room=room),
        each=_(" for each of them") if room and corner.others is Others.SEVERAL else "",
    )
    able = _("Of the others, {names} can do it.").format(
        names=join_items([names[seat] for seat in eligible_others(public)])
    )
    return f"{told} {able}"


def _seat_text(public: PublicState, seat: Seat, name: str) -> str:
    """Tell the credits of a seat, where it stands, its markers, and how many cards it holds."""
    square = public.squares[seat]
    left = ngettext("{count} Self Credit", "{count} Self Credits", public.credits[seat])
    cards = ngettext("{count} message card", "{count} message cards", public.held[seat])
    told = _("{name} has {credits} left and {cards}, and stands on space {number}, {space}.").format(
        name=name,
        credits=left.format(count=public.credits[seat]),
        cards=cards.format(count=public.held[seat]),
        number=square,
        space=public.board.spaces[square].name,
    )
    return f"{told} {_markers_text(public, seat)}"


def _markers_text(public: PublicState, seat: Seat) -> str:
    spaces = spaces_in(public.markers[seat])
    if not spaces:
        return _("None of their {all} markers is on the board.").format(all=MARKERS_PER_SEAT)
    named = join_items([public.board.spaces[space].name for space in spaces])
    line = _("{count} of their {all} markers are on the board: {spaces}.")
    told = line.format(count=len(spaces), all=MARKERS_PER_SEAT, spaces=named)
    if doubled := doubled_sets(public, seat):
        sets = ngettext("They release double in set {sets}.", "They release double in the sets {sets}.", len(doubled))
        return f"{told} {sets.format(sets=join_items(doubled))}"
    return told


def doubled_sets(public: PublicState, seat: Seat) -> list[str]:
    """Return the sets in which a seat releases double. Rule CH-11."""
    board = public.board
    found = {
        board.spaces[space].set or ""
        for space in spaces_in(public.markers[seat])
        if public.released_credits_for(seat, space) > board.credits[space]
    }
    return sorted(found)


def _board_text(public: PublicState) -> str:
    """Tell the spaces clockwise, with what each of them asks for."""
    spaces = [f"{number} {space.name}: {describe_space(space)}" for number, space in enumerate(public.board.spaces)]
    return _("The board, clockwise from Start: {spaces}.").format(spaces="; ".join(spaces))


def describe_picture(public: PublicState) -> str:
    """Tell what the picture shows, which knows the players by their numbers."""
    parts = [_("The board of Change."), _describe_turn(public)]
    for seat, left in enumerate(public.credits):
        line = _("Player {number} has {credits} left, stands on {space}, markers: {markers}, cards: {cards}.")
        parts.append(
            line.format(
                number=seat + 1,
                credits=left,
                markers=public.markers[seat].bit_count(),
                cards=public.held[seat],
                space=public.board.spaces[public.squares[seat]].name,
            )
        )
    return " ".join(parts)


def _describe_turn(public: PublicState) -> str:
    if public.mover is None:
        return _end_text(public, [_("player {number}").format(number=seat + 1) for seat in range(len(public.credits))])
    if public.stage is Stage.ROLL:
        return _("Player {number} is to roll.").format(number=public.mover + 1)
    return _("Player {number} is to decide.").format(number=public.mover + 1)
