"""Change for screen readers: the whole table in sentences, and a short description of the picture."""

from collections.abc import Sequence

from bot.games.change.board import spaces_in
from bot.games.change.facts import corner_choice, doubled_sets, open_steps
from bot.games.change.pieces import CHALLENGE_TARGET, PublicState, Stage, View
from bot.games.change.rules import winners_of
from bot.games.change.words import STEPS, describe_corner, describe_options, describe_space, prompt_of, space_name
from bot.rules.game import Seat
from bot.words import game_over_text, gettext as _, join_groups, join_items, ngettext, with_label


def build_reading(view: View, names: Sequence[str]) -> str:
    """Describe the turn, the seats and the board, but no cards."""
    public = view.public
    spaces = [
        with_label(f"{at} {space_name(space)}", describe_space(space)) for at, space in enumerate(public.board.spaces)
    ]
    parts = [
        _turn_text(public, names),
        *(_seat_text(public, seat, name) for seat, name in enumerate(names)),
        _("The first player to get rid of all their Self Credits wins."),
        _("The board, clockwise from Start: {spaces}.").format(spaces=join_groups(spaces)),
    ]
    if options := describe_options(public.options):
        parts.append(_("Options: {options}.").format(options=join_items(options)))
    return "\n\n".join(parts)


def _turn_text(public: PublicState, names: Sequence[str]) -> str:
    """Describe what the mover can do, or the end. Rules CH-6 to CH-8, CH-C0 and CH-M2."""
    if public.mover is None:
        return _end_text(public, names)
    name = names[public.mover]
    words = {"space": space_name(public.board.spaces[public.ragz_spaces[public.turn]]), "points": CHALLENGE_TARGET}
    steps = join_groups(_(STEPS[step].spoken).format(**words) for step in open_steps(public))
    choice = corner_choice(public) if public.stage is Stage.CORNER else None
    prompt = _(prompt_of(public).spoken).format(name=name, steps=steps, **describe_corner(choice) if choice else {})
    if choice:
        takers = _("Others who can take it: {names}.").format(names=join_items([names[seat] for seat in choice.others]))
        return f"{prompt} {takers}"
    if public.stage is Stage.FREE:
        here = _("It's {name}'s turn, on {space}.").format(name=name, **words)
        return " ".join((here, *_missing_text(public), prompt))
    if public.mover == public.turn:
        return prompt
    return " ".join((_("It's {name}'s turn, at a corner.").format(name=names[public.turn]), prompt))


def _end_text(public: PublicState, names: Sequence[str]) -> str:
    """Name the winners. Rule CH-12."""
    return game_over_text([names[seat] for seat in winners_of(public.credits)])


def _missing_text(public: PublicState) -> tuple[str, ...]:
    """Say what a failed challenge lacks. Rule CH-7."""
    if not public.missing:
        return ()
    count = public.missing
    short = ngettext("Their challenge is {count} point short.", "Their challenge is {count} points short.", count)
    helps = (_("If they have Add cards, these can help."),) if public.add_cards_may_help else ()
    return short.format(count=count), *helps


def _seat_text(public: PublicState, seat: Seat, name: str) -> str:
    """Describe a seat's credits, space, markers and number of cards."""
    space = public.ragz_spaces[seat]
    left = ngettext("{count} Self Credit", "{count} Self Credits", public.credits[seat])
    cards = ngettext("{count} message card", "{count} message cards", public.hand_sizes[seat])
    text = _("{name}: {credits} left, {cards}, on space {number}, {space}.").format(
        name=name,
        credits=left.format(count=public.credits[seat]),
        cards=cards.format(count=public.hand_sizes[seat]),
        number=space,
        space=space_name(public.board.spaces[space]),
    )
    return f"{text} {_markers_text(public, seat)}"


def _markers_text(public: PublicState, seat: Seat) -> str:
    spaces = spaces_in(public.markers[seat])
    if not spaces:
        return _("None of their 12 markers is on the board.")
    named = join_items([space_name(public.board.spaces[space]) for space in spaces])
    line = ngettext(
        "{count} of their 12 markers is on the board: {spaces}.",
        "{count} of their 12 markers are on the board: {spaces}.",
        len(spaces),
    )
    text = line.format(count=len(spaces), spaces=named)
    if doubled := doubled_sets(public, seat):
        sets = ngettext("They release double in set {sets}.", "They release double in the sets {sets}.", len(doubled))
        return f"{text} {sets.format(sets=join_items(doubled))}"
    return text


def describe_picture(public: PublicState) -> str:
    """Describe the picture, in which players have numbers."""
    parts = [_("The board of Change."), _describe_turn(public)]
    for seat, left in enumerate(public.credits):
        line = _("Player {number}: on {space}, credits left: {credits}, markers: {markers}, cards: {cards}.")
        parts.append(
            line.format(
                number=seat + 1,
                credits=left,
                markers=public.markers[seat].bit_count(),
                cards=public.hand_sizes[seat],
                space=space_name(public.board.spaces[public.ragz_spaces[seat]]),
            )
        )
    return " ".join(parts)


def _describe_turn(public: PublicState) -> str:
    if public.mover is None:
        return _end_text(public, [_("player {number}").format(number=seat + 1) for seat in range(len(public.credits))])
    if public.stage is Stage.ROLL:
        return _("It's player {number}'s turn to roll.").format(number=public.mover + 1)
    return _("It's player {number}'s turn to decide.").format(number=public.mover + 1)
