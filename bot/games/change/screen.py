"""Change in words: what happened, who stands where, the board, and what can be done in front of everybody."""

from collections.abc import Mapping, Sequence

from bot.games.change.board import Others, Space, SpaceKind
from bot.games.change.controls import controls, menus
from bot.games.change.corners import can_follow, corner_here
from bot.games.change.guide import deed, describe_options, others_at, reward
from bot.games.change.latest import changes_of, newest_turn
from bot.games.change.news import news_lines, pips
from bot.games.change.pieces import MARKERS, Public, Stage, View
from bot.games.change.playable_cards import waits_for_card
from bot.games.change.series import fewest_first
from bot.rules.game import Event, Seat
from bot.rules.screen import Draft, Field, News, Screen, events_of
from bot.words import N_, UNBROKEN, bar, end_title, gettext as _, listed, ordinal_sign, seat_mark


def show(view: View, news: Sequence[News], names: Sequence[str], draft: Draft) -> Screen:
    """Make the screen that everybody sees; nothing on it depends on a hand."""
    public = view.public
    if public.stage is Stage.OVER:
        return _final(public, news, names)
    lines = news_lines(public, news) or [_roll_off(public)]
    return Screen(
        title=_title(public, names),
        text="\n".join((*lines, f"👉 {_advice(public, names)}")),
        fields=(_players(public, events_of(news), names, public.turn), _board(public)),
        controls=controls(public, names, draft),
        note=_note(public),
        accent=public.mover,
        menus=menus(public),
        waits_for_hand=waits_for_card(public),
    )


def at_rest(view: View, names: Sequence[str]) -> tuple[Field, ...]:
    """Show the credits and the markers of a game that nobody plays on."""
    return (_players(view.public, (), names, turn=None), _board(view.public))


def _title(public: Public, names: Sequence[str]) -> str:
    mover = names[public.mover or 0]
    if public.stage is Stage.ROLL:
        return _("Change · {name} to roll").format(name=mover)
    if public.mover != public.turn:
        return _("Change · {name} decides").format(name=mover)
    return _("Change · {name}'s turn").format(name=mover)


def _final(public: Public, news: Sequence[News], names: Sequence[str]) -> Screen:
    places = fewest_first(public.credits)
    leaders = [seat for seat, place in enumerate(places) if place == 1]
    ranked = sorted(range(len(names)), key=lambda seat: (places[seat], seat))
    changes = changes_of(newest_turn(events_of(news)), len(names))
    lines = (
        f"{ordinal_sign(places[seat])} {seat_mark(seat)} {names[seat]} · "
        f"{_left(public, seat, changes[seat])} · {_things(public, seat)}"
        for seat in ranked
    )
    return Screen(
        title=end_title(_("Change"), [names[seat] for seat in leaders]),
        text="\n".join(news_lines(public, news)) or _("The game is over."),
        fields=(Field(_("Credits left"), "\n".join(lines)), _board(public)),
        accent=leaders[0],
    )


def _roll_off(public: Public) -> str:
    """Show every round of the roll-off by seats, which somebody else may hold by now. Rule CH-2."""
    rounds = (", ".join(f"{seat_mark(seat)} {pips(dice)}" for seat, dice in round_.rolls) for round_ in public.roll_off)
    line = _("🎲 Roll-off: {rounds}. {seat} starts.")
    starter = seat_mark(public.roll_off[-1].leaders[0])
    return line.format(rounds=_("; tied, so again: ").join(rounds), seat=starter)


_ASKED = {
    Stage.ROLL: N_("{name}, roll the track dice."),
    Stage.RETURN: N_("{name}, choose one of your markers: go there and release its credits."),
    Stage.PLACE: N_("{name}, choose a challenge space for a marker; you go there for nothing."),
    Stage.SWAP: N_("{name}, choose the card to replace in *My hand*."),
    Stage.KEEP: N_("{name}, choose the one card to keep in *My hand*."),
}
"""What somebody is asked to do where there is nothing to explain."""


def _advice(public: Public, names: Sequence[str]) -> str:
    """Say what is waited for."""
    if public.stage is Stage.FREE:
        return _free_advice(public)
    if public.stage is Stage.CORNER:
        return _corner_advice(public)
    return _(_ASKED[public.stage]).format(name=names[public.mover or 0])


def _free_advice(public: Public) -> str:
    steps = []
    if public.may_challenge:
        steps.append(_("take on the challenge"))
    if public.may_travel and public.markers_left(public.turn):
        steps.append(_("make an option move"))
    if public.may_play_cards:
        steps.append(_("play cards"))
    lines = _("You may {steps}, or end your turn.").format(steps=", ".join(steps)) if steps else _("End your turn.")
    if public.missing:
        missing = _("**{count}** short. {lines}")
        if public.held[public.turn]:
            missing = _("**{count}** short: Add cards still help. {lines}")
        return missing.format(count=public.missing, lines=lines)
    return lines


def _corner_advice(public: Public) -> str:
    """Say what the corner asks for, and what the lander can and can't do. Rules CH-C0 and CH-M1."""
    corner = corner_here(public)
    line = (
        _("**{corner}**: {deed}, or let {others} do it and {reward}{each}.")
        if can_follow(public, corner, public.turn)
        else _("**{corner}**: {deed}. You can't, so let {others} do it and {reward}{each}.")
    )
    each = _(" for each of them") if corner.others is Others.SEVERAL else ""
    advice = line.format(
        corner=corner.name, deed=deed(corner), others=others_at(corner), reward=reward(corner), each=each
    )
    if public.room_in_hand(public.turn):
        return advice
    return _("{advice} Your hand is full, though: you would draw none.").format(advice=advice)


def _players(public: Public, news: Sequence[Event], names: Sequence[str], turn: Seat | None) -> Field:
    """Show what everybody has and where they stand; beside the picture without bars and numbers of spaces."""
    changes = changes_of(newest_turn(news), len(names))
    whole, brief = (
        [tell(public, seat, name, changes[seat], has_turn=seat == turn) for seat, name in enumerate(names)]
        for tell in (_player, _player_in_brief)
    )
    return Field(_("Credits left · cards · markers"), "\n".join(whole), "\n".join(brief))


def _player(public: Public, seat: Seat, name: str, change: int, *, has_turn: bool) -> str:
    pointer = "▶" if has_turn else "▫"
    name = f"**{name}**" if has_turn else name
    gauge = bar(public.credits[seat], public.options.credits)
    placed = public.markers[seat].bit_count()
    where = _numbered(public, public.squares[seat])
    return (
        f"{pointer} {seat_mark(seat)} {gauge} {_left(public, seat, change)} {name} · {where} "
        f"· 🎴 {public.held[seat]} · 🚩 {placed}/{MARKERS}"
    )


def _player_in_brief(public: Public, seat: Seat, name: str, change: int, *, has_turn: bool) -> str:
    pointer = "▶ " if has_turn else ""
    name = f"**{name}**" if has_turn else name
    return f"{pointer}{seat_mark(seat)} {_left(public, seat, change)} {name} · {_things(public, seat)}"


def _left(public: Public, seat: Seat, change: int) -> str:
    """Write the credits of a seat, and what the newest turn changed them by."""
    changed = f"{UNBROKEN}({'+' if change > 0 else '−'}{abs(change)})" if change else ""
    return f"**{public.credits[seat]}**{changed}"


def _things(public: Public, seat: Seat) -> str:
    """Write what a seat has besides its credits: where it stands, its cards, and its markers on the board."""
    where, placed = public.board.spaces[public.squares[seat]].name, public.markers[seat].bit_count()
    return f"{where} · 🎴{public.held[seat]} 🚩{placed}"


def _board(public: Public) -> Field:
    """Show every space with its number, and of a challenge space the credits, and who has a marker there.

    Beside the picture only spaces with markers are shown.
    """
    whole: dict[str, list[str]] = {}
    brief: dict[str, list[str]] = {}
    for space in public.board.challenges:
        entry = public.board.spaces[space]
        marks = "".join(seat_mark(seat) for seat, markers in enumerate(public.markers) if markers >> space & 1)
        cell = f"{_numbered(public, space)} **{entry.credits}**{' ' + marks if marks else ''}"
        whole.setdefault(entry.set or "", []).append(cell)
        if marks:
            brief.setdefault(entry.set or "", []).append(f"{entry.name}{UNBROKEN}{marks}")
    double, times_two = _(" — double for {seats}"), _(" ×2 {seats}")
    texts = (*_set_lines(public, whole, double), _others(public))
    return Field(_("The board, set by set"), "\n".join(texts), "\n".join(_set_lines(public, brief, times_two)))


def _set_lines(public: Public, cells: Mapping[str, Sequence[str]], double: str) -> list[str]:
    return [f"**{key}** {' · '.join(spaces)}{_doubles(public, key, double)}" for key, spaces in cells.items()]


def _numbered(public: Public, space: Space) -> str:
    return f"{space} {public.board.spaces[space].name}"


def _others(public: Public) -> str:
    """Show where the corners and the other spaces lie."""
    spaces = public.board.spaces
    corners = " ".join(str(space) for space, entry in enumerate(spaces) if entry.kind is SpaceKind.CORNER)
    named = [
        _numbered(public, space)
        for space, entry in enumerate(spaces)
        if entry.kind not in (SpaceKind.CHALLENGE, SpaceKind.CORNER)
    ]
    return " · ".join((*named, _("Corners {numbers}").format(numbers=corners)))


def _doubles(public: Public, key: str, double: str) -> str:
    """Show who releases double in a set. Rule CH-11."""
    whole = sum(1 << at for at, space in enumerate(public.board.spaces) if space.set == key)
    owners = [seat for seat, markers in enumerate(public.markers) if markers & whole == whole]
    if not owners or not public.options.sets:
        return ""
    return double.format(seats="".join(map(seat_mark, owners)))


def _note(public: Public) -> str:
    options = describe_options(public.options)
    return _("Played with: {options}.").format(options=listed(options)) if options else ""
