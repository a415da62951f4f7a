"""Change for screen readers: the whole table in sentences, and a short description of the picture."""

from collections.abc import Iterator, Sequence

from bot.games.change.board import spaces_in
from bot.games.change.pieces import CHALLENGE_TARGET, MARKERS_PER_SEAT, PublicState, Stage, View
from bot.games.change.rules import winners_of
from bot.games.change.turns import can_act_at_corner, current_corner, eligible_others
from bot.games.change.words import (
    describe_corner_action,
    describe_corner_others,
    describe_draws,
    describe_options,
    describe_space,
)
from bot.rules.game import Seat
from bot.words import N_, game_over_text, gettext as _, join_items, ngettext


def build_reading(view: View, names: Sequence[str]) -> str:
    """Describe the turn, the seats and the board, but no cards."""
    public = view.public
    spaces = [f"{number} {space.name}: {describe_space(space)}" for number, space in enumerate(public.board.spaces)]
    parts = [
        _turn_text(public, names),
        *(_seat_text(public, seat, name) for seat, name in enumerate(names)),
        _("The first player to get rid of all their Self Credits wins."),
        _("The board, clockwise from Start: {spaces}.").format(spaces="; ".join(spaces)),
    ]
    if options := describe_options(public.options):
        parts.append(_("Options: {options}.").format(options=join_items(options)))
    return "\n\n".join(parts)


_PROMPTS = {
    Stage.ROLL: N_("It's {name}'s turn to roll the two track dice."),
    Stage.RETURN: N_("{name} chooses one of their own markers, goes there and releases its credits."),
    Stage.PLACE: N_("{name} chooses a challenge space for a new marker and goes there, but no credits change hands."),
    Stage.SWAP: N_("{name} chooses a message card from their hand to replace."),
    Stage.KEEP: N_("{name} chooses the one message card to keep from their hand."),
}


def _turn_text(public: PublicState, names: Sequence[str]) -> str:
    if public.mover is None:
        return _end_text(public, names)
    name = names[public.mover]
    if public.stage is Stage.FREE:
        return " ".join(_options_left_text(public, name))
    if public.stage is Stage.CORNER:
        return _corner_text(public, names)
    prompt = _(_PROMPTS[public.stage]).format(name=name)
    if public.mover == public.turn:
        return prompt
    return _("It's {name}'s turn, at a corner. {prompt}").format(name=names[public.turn], prompt=prompt)


def _end_text(public: PublicState, names: Sequence[str]) -> str:
    """Name the winners. Rule CH-12."""
    return game_over_text([names[seat] for seat in winners_of(public.credits)])


def _options_left_text(public: PublicState, name: str) -> Iterator[str]:
    """Describe what a turn allows after its roll. Rules CH-6 to CH-8 and CH-M2."""
    here = public.board.spaces[public.ragz_spaces[public.turn]].name
    steps = []
    if public.may_challenge:
        challenge = _(
            "take on the challenge of {space}: the best of three dice, the best of two and one more must total "
            "{points} or more to mark it"
        )
        steps.append(challenge.format(space=here, points=CHALLENGE_TARGET))
    if public.may_travel and public.markers_left(public.turn):
        steps.append(_("make an option move to another challenge space they haven't marked"))
    if public.may_play_cards:
        steps.append(_("play message cards"))
    yield _("It's {name}'s turn, on {space}.").format(name=name, space=here)
    if public.missing:
        missing = ngettext(
            "Their challenge is {count} point short.",
            "Their challenge is {count} points short.",
            public.missing,
        )
        if public.add_cards_may_help:
            missing = ngettext(
                "Their challenge is {count} point short. If they have Add cards, these can help.",
                "Their challenge is {count} points short. If they have Add cards, these can help.",
                public.missing,
            )
        yield missing.format(count=public.missing)
    if steps:
        yield _("They can {steps}; or end their turn.").format(steps="; ".join(steps))
    else:
        yield _("They can only end their turn.")


def _corner_text(public: PublicState, names: Sequence[str]) -> str:
    """Describe the corner and who can follow it. Rule CH-C0."""
    corner, turn, able = current_corner(public), public.turn, eligible_others(public)
    if can_act_at_corner(public, corner, turn):
        line = _("{name} is at {corner}: {action}, or give the bonus to {others} and {reward}.")
    else:
        line = _("{name} is at {corner}: {action}. They can't, so they give the bonus to {others} and {reward}.")
    choice = line.format(
        name=names[turn],
        corner=corner.name,
        action=describe_corner_action(corner),
        others=describe_corner_others(corner),
        reward=describe_draws(corner, len(able), public.room_in_hand(turn)),
    )
    takers = _("Others who can take it: {names}.").format(names=join_items([names[seat] for seat in able]))
    return f"{choice} {takers}"


def _seat_text(public: PublicState, seat: Seat, name: str) -> str:
    """Describe a seat's credits, space, markers and number of cards."""
    space = public.ragz_spaces[seat]
    left = ngettext("{count} Self Credit", "{count} Self Credits", public.credits[seat])
    cards = ngettext("{count} message card", "{count} message cards", public.hand_sizes[seat])
    text = _("{name} has {credits} left and {cards}, and is on space {number}, {space}.").format(
        name=name,
        credits=left.format(count=public.credits[seat]),
        cards=cards.format(count=public.hand_sizes[seat]),
        number=space,
        space=public.board.spaces[space].name,
    )
    return f"{text} {_markers_text(public, seat)}"


def _markers_text(public: PublicState, seat: Seat) -> str:
    spaces = spaces_in(public.markers[seat])
    if not spaces:
        return _("None of their {all} markers is on the board.").format(all=MARKERS_PER_SEAT)
    named = join_items([public.board.spaces[space].name for space in spaces])
    line = _("{count} of their {all} markers are on the board: {spaces}.")
    text = line.format(count=len(spaces), all=MARKERS_PER_SEAT, spaces=named)
    if doubled := doubled_sets(public, seat):
        sets = ngettext("They release double in set {sets}.", "They release double in the sets {sets}.", len(doubled))
        return f"{text} {sets.format(sets=join_items(doubled))}"
    return text


def doubled_sets(public: PublicState, seat: Seat) -> list[str]:
    """Return the sets that let a seat release double. Rule CH-11."""
    board = public.board
    found = {
        board.spaces[space].set or ""
        for space in spaces_in(public.markers[seat])
        if public.released_credits_for(seat, space) > board.credits[space]
    }
    return sorted(found)


def describe_picture(public: PublicState) -> str:
    """Describe the picture, in which players have numbers."""
    parts = [_("The board of Change."), _describe_turn(public)]
    for seat, left in enumerate(public.credits):
        line = _("Player {number}: {credits} credits left, on {space}, markers: {markers}, cards: {cards}.")
        parts.append(
            line.format(
                number=seat + 1,
                credits=left,
                markers=public.markers[seat].bit_count(),
                cards=public.hand_sizes[seat],
                space=public.board.spaces[public.ragz_spaces[seat]].name,
            )
        )
    return " ".join(parts)


def _describe_turn(public: PublicState) -> str:
    if public.mover is None:
        return _end_text(public, [_("player {number}").format(number=seat + 1) for seat in range(len(public.credits))])
    if public.stage is Stage.ROLL:
        return _("It's player {number}'s turn to roll.").format(number=public.mover + 1)
    return _("It's player {number}'s turn to decide.").format(number=public.mover + 1)
