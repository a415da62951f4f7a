"""The screen of Change that everyone sees, and its buttons."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from bot.games.change.board import Space, SpaceKind
from bot.games.change.facts import (
    Step,
    changes_in_own_turns,
    changes_of,
    corner_choice,
    doubled_sets,
    open_steps,
    waits_for_card,
)
from bot.games.change.minds.credit_values import recommend_corner
from bot.games.change.minds.win_chances import MoveRanking
from bot.games.change.moves import CHALLENGE, DONE, MYSELF, ROLL, Choose, Move, Option, PickSpace
from bot.games.change.news import news_lines
from bot.games.change.pieces import (
    CHALLENGE_ODDS,
    CHALLENGE_TARGET,
    MARKERS_PER_SEAT,
    GameEvent,
    PublicState,
    Stage,
    State,
    TrackRolled,
    View,
)
from bot.games.change.rules import legal_moves, rank_by_fewest_credits, winners_of
from bot.games.change.turns import current_corner
from bot.games.change.words import (
    STEPS,
    describe_corner,
    describe_corner_reward,
    describe_keeping,
    describe_options,
    prompt_of,
    roll_off_line,
    space_name,
    summarize_space,
)
from bot.rules.game import Seat
from bot.rules.picture import NAME_START, isolate_name
from bot.rules.screen import (
    MAX_SHORTCUTS,
    Control,
    ControlRow,
    Draft,
    Field,
    Menu,
    News,
    Play,
    Screen,
    Tone,
    events_of,
    find_clear_best,
    page_of,
)
from bot.rules.story import newest_turn
from bot.words import (
    N_,
    format_number,
    format_odds,
    format_signed,
    game_over_title,
    gettext as _,
    join_groups,
    join_items,
    ngettext,
    progress_bar,
    ranking_rows,
    score_row,
    seat_emoji,
    truncate,
    unescape_name,
    with_note,
)

_CLEAR_LEAD = 0.02
"""A move is clearly the best if it wins that much more often."""

_CORNER_BUTTONS = 2
"""The most choices at a corner that are all buttons, a line each."""

_CORNER_PAGES = range(1)
"""The tokens of the second page of choices at a corner: with five others, several of which can follow."""

_MAX_NAME_LENGTH = 12
"""Longer names are cut on buttons, which have a line on a phone."""


def build_screen(
    rank: MoveRanking, view: View, news: Sequence[News[GameEvent]], names: Sequence[str], draft: Draft
) -> Screen:
    """Return the screen of a position. Nothing on it depends on a hand."""
    public = view.public
    if public.stage is Stage.OVER:
        return _end_screen(public, news, names)
    lines, advice = news_lines(public, news) or [roll_off_line(public)], f"👉 {_advice_text(public, names)}"
    controls, menus = _build_controls(rank, public, names, draft)
    is_end_advised = any(each.key == "done" and each.tone is Tone.CHOSEN for row in controls for each in row)
    waits = waits_for_card(public, is_end_advised=is_end_advised)
    return Screen(
        title=_title_text(public, names, waits=waits),
        text="\n".join((*lines, advice)),
        fields=(_players_field(public, events_of(news), names, public.turn), _board_field(public)),
        controls=controls,
        note=" · ".join(describe_options(public.options)),
        accent=public.mover,
        menus=menus,
        waits_for_hand=waits,
        busy=_busy_text(public, names),
        rule=_rule_of(public),
    )


def build_abandoned_fields(view: View, names: Sequence[str]) -> tuple[Field, ...]:
    """Return the fields of an abandoned table."""
    return (_players_field(view.public, (), names, turn=None), _board_field(view.public))


def _title_text(public: PublicState, names: Sequence[str], *, waits: bool) -> str:
    """Return who is to move, and what to do; at a corner and while a challenge is open, where that is."""
    if public.stage is not Stage.FREE:
        title = _(_TITLES[public.stage])
    elif waits:
        title = _("{name}, play a card?")
    else:
        steps = open_steps(public)
        title = _(_FREE_TITLES[steps[0]]) if steps else _("Nothing else to do")
    space = space_name(public.board.spaces[public.ragz_spaces[public.turn]])
    return title.format(name=names[public.mover or 0], space=space)


_TITLES: Final[Mapping[Stage, str]] = {
    Stage.ROLL: N_("{name}, roll the dice"),
    Stage.CORNER: N_("{name} lands on {space}"),
    Stage.RETURN: N_("{name}, choose your space"),
    Stage.PLACE: N_("{name}, place a marker"),
    Stage.SWAP: N_("{name}, replace a card"),
    Stage.KEEP: N_("{name}, keep one card"),
}

_FREE_TITLES: Final[Mapping[Step, str]] = {
    Step.CHALLENGE: N_("{name} lands on {space}"),
    Step.OPTION_MOVE: N_("{name}, one more move?"),
    Step.CARDS: N_("{name}, end your turn?"),
}
"""The title of a turn that can go on, by the first step that may follow."""


def _busy_text(public: PublicState, names: Sequence[str]) -> str:
    line = _("{name} is rolling …") if public.stage is Stage.ROLL else _("{name} is choosing …")
    return line.format(name=names[public.mover or 0])


def _end_screen(public: PublicState, news: Sequence[News[GameEvent]], names: Sequence[str]) -> Screen:
    places = rank_by_fewest_credits(public.credits)
    winners = winners_of(public.credits)
    changes = changes_in_own_turns(events_of(news), len(names))
    texts = [
        f"{name} · {_format_credits(public, seat, changes[seat])} · {_format_possessions(public, seat)}"
        for seat, name in enumerate(names)
    ]
    lines = news_lines(public, news) or [_("The game is over.")]
    return Screen(
        title=game_over_title([names[seat] for seat in winners]),
        text="\n".join(lines),
        fields=(Field(_("Credits left"), ranking_rows(places, texts)), _board_field(public)),
        accent=winners[0],
        verdict=_verdict(news, winners),
    )


def _verdict(news: Sequence[News[GameEvent]], winners: Sequence[Seat]) -> str:
    """Return what decided a game that nobody won in their own turn; the last change of credits ends it. Rule CH-12."""
    turn = newest_turn(news, TrackRolled)
    roller, names = next(((event.seat, names) for event, names in turn if isinstance(event, TrackRolled)), (None, ()))
    if roller is None or roller in winners:
        return ""
    freeing = [event for event in events_of(turn) if any(changes_of((event,), len(names)))]
    count = -changes_of(freeing[-1:], len(names))[winners[0]]
    line = ngettext(
        "{winners} reached 0 when {name}'s move freed a credit.",
        "{winners} reached 0 when {name}'s move freed {count} credits.",
        count,
    )
    if len(freeing) == 1:
        line = ngettext(
            "{winners} reached 0 when {name}'s roll freed a credit.",
            "{winners} reached 0 when {name}'s roll freed {count} credits.",
            count,
        )
    return line.format(winners=join_items([names[seat] for seat in winners]), name=names[roller], count=count)


def _advice_text(public: PublicState, names: Sequence[str]) -> str:
    """Return what the mover can do."""
    words = {
        "name": names[public.mover or 0],
        "steps": join_groups(_(STEPS[step].on_screen) for step in open_steps(public)),
    }
    if public.stage is Stage.CORNER:
        words |= describe_corner(corner_choice(public))
    advice = _(prompt_of(public).on_screen).format(**words)
    if public.may_challenge:
        return f"{advice} {_challenge_text(public)}"
    return f"{_missing_text(public)} · {advice}" if public.missing else advice


def _rule_of(public: PublicState) -> str:
    """Return what matters now and neither title, picture nor buttons tell, in a line."""
    match public.stage:
        case Stage.FREE if public.may_challenge:
            space = public.board.spaces[public.ragz_spaces[public.turn]]
            line = _("Roll {target}+ to mark it: then it releases {credits}")
            return line.format(credits=space.credits, target=CHALLENGE_TARGET)
        case Stage.FREE if public.missing:
            return _missing_text(public)
        case Stage.FREE if public.may_make_option_move:
            return _("Choose a space: receive credits and roll")
        case Stage.CORNER:
            return _("Bonus: {action}").format(action=summarize_space(current_corner(public)))
        case stage:
            return _(_RULES[stage]) if stage in _RULES else ""


_RULES: Final[Mapping[Stage, str]] = {
    Stage.RETURN: N_("You go there and release its credits"),
    Stage.PLACE: N_("You go there, and no credits move"),
    Stage.SWAP: N_("Choose it in My hand"),
    Stage.KEEP: N_("Choose it in My hand; the others are lost"),
}


def _missing_text(public: PublicState) -> str:
    """Return how much a challenge missed, and whether cards may make it up."""
    if public.add_cards_may_help:
        return _("{count} short. Add cards help: My hand").format(count=public.missing)
    return _("{count} short of {target}").format(count=public.missing, target=CHALLENGE_TARGET)


def _challenge_text(public: PublicState) -> str:
    """Return what is rolled in the open challenge, and what it decides. Rule CH-6."""
    line = _("Challenge: best of 3 dice + best of 2 + 1 more. **{target}+** marks **{space}**.")
    return line.format(target=CHALLENGE_TARGET, space=space_name(public.board.spaces[public.ragz_spaces[public.turn]]))


def _players_field(public: PublicState, events: Sequence[GameEvent], names: Sequence[str], turn: Seat | None) -> Field:
    """Return the possessions of each seat."""
    changes = changes_in_own_turns(events, len(names))
    lines = []
    for seat, name in enumerate(names):
        bar = progress_bar(public.credits[seat], public.options.credits)
        left = _format_credits(public, seat, changes[seat])
        row = score_row(seat, name, left, has_turn=seat == turn, bar=bar)
        lines.append(f"{row} · {_format_possessions(public, seat)}")
    return Field(_("Credits left · cards · markers"), "\n".join(lines))


def _format_credits(public: PublicState, seat: Seat, change: int) -> str:
    """Return the credits of a seat and their change in its newest turn."""
    return with_note(f"**{format_number(public.credits[seat])}**", format_signed(change) if change else "")


def _format_possessions(public: PublicState, seat: Seat) -> str:
    """Return a seat's space, number of cards and number of placed markers."""
    where, placed = _format_space(public, public.ragz_spaces[seat]), public.markers[seat].bit_count()
    return f"{where} · 🎴 {public.hand_sizes[seat]} · ☑️ {placed}/{MARKERS_PER_SEAT}"


def _board_field(public: PublicState) -> Field:
    """Return every space with its number, credits and markers, by set, and the seats that release double there."""
    spaces, lines = public.board.spaces, list[str]()
    doubling = [doubled_sets(public, seat) for seat in range(len(public.credits))]
    by_set = dict[str, list[Space]]()
    for space in public.board.challenge_spaces:
        by_set.setdefault(spaces[space].set or "", []).append(space)
    for key, challenges in by_set.items():
        cells = []
        for space in challenges:
            marks = "".join(seat_emoji(seat) for seat, markers in enumerate(public.markers) if markers >> space & 1)
            cells.append(f"{_format_space(public, space)} **{spaces[space].credits}**{' ' + marks if marks else ''}")
        seats = "".join(seat_emoji(seat) for seat, keys in enumerate(doubling) if key in keys)
        line = f"**{key}** {' · '.join(cells)}"
        lines.append(_("{spaces} — double for {seats}").format(spaces=line, seats=seats) if seats else line)
    corners = " ".join(str(space) for space, entry in enumerate(spaces) if entry.kind is SpaceKind.CORNER)
    named = [
        _format_space(public, space)
        for space, entry in enumerate(spaces)
        if entry.kind not in (SpaceKind.CHALLENGE, SpaceKind.CORNER)
    ]
    others = " · ".join((*named, _("Corners {numbers}").format(numbers=corners)))
    return Field(_("The board by set"), "\n".join((*lines, others)))


def _format_space(public: PublicState, space: Space) -> str:
    return f"{space} {space_name(public.board.spaces[space])}"


_Controls: TypeAlias = tuple[tuple[ControlRow, ...], tuple[Menu, ...]]
"""Rows of buttons, and menus."""


def _build_controls(rank: MoveRanking, public: PublicState, names: Sequence[str], draft: Draft) -> _Controls:
    """Return what can be pressed; what stands out is advised without seeing any hand.

    It always takes two lines on a phone, so that nothing moves: a row with its menu, or the two choices at a corner.
    """
    match public.stage:
        case Stage.FREE:
            return _free_controls(rank, public)
        case Stage.CORNER:
            return _corner_controls(rank, public, names, draft)
        case Stage.RETURN | Stage.PLACE:
            moves = tuple([PickSpace(public.board.keys[space]) for space in public.open_spaces])
            best = next(iter(rank(View(public, public.mover, ()), moves)))
            lines = tuple([_menu_entry(public, move) for move in moves])
            return ((_space_button(public, best, Tone.CHOSEN),),), (Menu("to", _("Choose a space …"), lines),)
        case Stage.ROLL:
            button = Control("roll", _("🎲 Roll"), Play(str(ROLL)))
        case _:
            button = Control("done", _("End turn"), Play(str(DONE)), is_disabled=True)
    return ((button,),), (_option_menu(()),)


def _free_controls(rank: MoveRanking, public: PublicState) -> _Controls:
    """Return the challenge, or else the best space to move to, and the end of the turn; the other moves are in a menu.

    The safest of them that is one of the best three moves is coloured: a challenge costs nothing. If it is none of
    them, as for a last marker that is of more use elsewhere, the space to move to takes its place.
    """
    options, challenges = _option_moves(public), (CHALLENGE,) * public.may_challenge
    ranked = rank(View(public, public.mover, ()), (*challenges, *options, DONE))
    best = list(ranked)[:MAX_SHORTCUTS]
    first: tuple[Move, ...] = tuple([move for move in ranked if move in options][:1])
    if CHALLENGE in best or not first:
        first = challenges
    offered = (*first, DONE)
    tones = {next(move for move in (CHALLENGE, DONE, *first) if move in best and move in offered): Tone.CHOSEN}
    clear = find_clear_best([(value, move) for move, value in ranked.items()], _CLEAR_LEAD)
    if clear in offered and len(offered) > 1 and not public.may_play_cards:
        tones[clear] = Tone.MAIN
    row = tuple([replace(_free_button(public, move), tone=tones.get(move, Tone.QUIET)) for move in offered])
    lines = [_free_button(public, move) for move in challenges if move not in first]
    lines += [_menu_entry(public, move) for move in options]
    return (row,), (_option_menu(tuple(lines)),)


def _free_button(public: PublicState, move: Move) -> Control:
    """Return the button of a move after the roll."""
    if move == DONE:
        return Control("done", _("End turn"), Play(str(DONE)))
    if move != CHALLENGE:
        return _space_button(public, move)
    label = _("🎯 Challenge · {odds}").format(odds=format_odds(CHALLENGE_ODDS))
    return Control("challenge", label, Play(str(CHALLENGE)))


def _space_button(public: PublicState, move: Move, tone: Tone = Tone.QUIET) -> Control:
    """Return the button of the best space to choose or to move to."""
    texts = _CHOICES if public.stage is Stage.PLACE else _DESTINATIONS
    space = public.board.space_by_key[move.space] if isinstance(move, Option | PickSpace) else 0
    label = _space_label(public, space, texts)
    return Control("best", label, Play(str(move)), tone)


def _option_moves(public: PublicState) -> list[Option]:
    """Return the moves to other spaces. Rule CH-8."""
    if not public.may_make_option_move:
        return []
    here = public.ragz_spaces[public.turn]
    return [Option(public.board.keys[space]) for space in public.open_spaces if space != here]


def _option_menu(lines: tuple[Control, ...]) -> Menu:
    return Menu("option", _("Move to another space …"), lines)


_CHOICES: Final[Mapping[Stage, str]] = {
    Stage.FREE: N_("{space} · receive {credits}"),
    Stage.RETURN: N_("{space} · release {credits}"),
    Stage.PLACE: N_("Mark {space} · worth {credits}"),
}
"""A space that can be chosen, and what that brings; the line in the story tells the rest. Rules CH-8, CH-C5, CH-C8."""


_DESTINATIONS: Final[Mapping[Stage, str]] = {
    Stage.FREE: N_("Go to {space} · receive {credits}"),
    Stage.RETURN: N_("Go to {space} · release {credits}"),
}
"""The same for a button."""


def _space_label(public: PublicState, space: Space, texts: Mapping[Stage, str]) -> str:
    entry = public.board.spaces[space]
    return _(texts[public.stage]).format(space=space_name(entry), credits=entry.credits)


def _menu_entry(public: PublicState, move: Option | PickSpace) -> Control:
    space = public.board.space_by_key[move.space]
    facts = [_("set {set}").format(set=public.board.spaces[space].set)]
    if isinstance(move, Option) and (others := describe_other_releases(public, space)):
        facts.insert(0, others)
    label = _space_label(public, space, _CHOICES)
    return Control(f"to_{move.space}", label, Play(str(move)), description=" · ".join(facts))


def describe_other_releases(public: PublicState, space: Space) -> str:
    """Return how many others release credits at a landing; empty if none do. Rule CH-5."""
    others = sum(
        bool(public.released_credits_for(seat, space)) for seat in range(len(public.credits)) if seat != public.turn
    )
    if not others:
        return ""
    return ngettext("{count} rival releases", "{count} rivals release", others).format(count=others)


def _corner_controls(rank: MoveRanking, public: PublicState, names: Sequence[str], draft: Draft) -> _Controls:
    """Return both choices of who follows the corner, or else one of the best above a menu of the others. Rule CH-C0."""
    moves = tuple(legal_moves(State(public, ((),) * len(names), ())))
    controls = {move: _corner_control(public, names, move) for move in moves}
    best = recommend_corner(public)
    if best is not None:
        controls[best] = replace(controls[best], tone=Tone.MAIN)
    if len(moves) <= _CORNER_BUTTONS:
        return tuple([(control,) for control in controls.values()]), ()
    ranked = list(rank(View(public, public.mover, ()), moves))
    shown: Move = MYSELF if MYSELF in ranked[:MAX_SHORTCUTS] else ranked[0]
    lines = page_of(
        [controls[move] for move in ranked if move != shown],
        draft,
        _CORNER_PAGES,
        key="more_choices",
        next_label=_("More …"),
        first_label=_("‹ Back to the first"),
    )
    return ((controls[shown],),), (Menu("who", _("Other choices …"), lines),)


def _corner_control(public: PublicState, names: Sequence[str], move: Move) -> Control:
    corner = current_corner(public)
    if not isinstance(move, Choose):
        return Control("myself", describe_keeping(corner), Play(str(move)))
    reward = describe_corner_reward(corner, len(move.seats), room=public.room_in_hand(public.turn))
    plain, tokens = [_plain_name(seat, names) for seat in move.seats], "".join(map(seat_emoji, move.seats))
    label, description = _("Give to {who} · {reward}"), ""
    if len(move.seats) == 1:
        label = f"{tokens} {label.format(who=plain[0], reward=reward)}"
    elif move.seats == corner_choice(public).others:
        label = _("Give to all others · {reward}").format(reward=reward)
    else:
        # The names of several would not fit into a line on a phone.
        label, description = label.format(who=tokens, reward=reward), join_items(plain)
    return Control(f"let_{''.join(map(str, move.seats))}", label, Play(str(move)), description=description)


def _plain_name(seat: Seat, names: Sequence[str]) -> str:
    """Return a name without Markdown, and cut if it is long."""
    name = truncate(unescape_name(names[seat]), _MAX_NAME_LENGTH)
    return isolate_name(name) if NAME_START in names[seat] else name
