"""Fortune's screen: the news, the dice, the stakes, the scores, the card and the buttons."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from bot.games.fortune.facts import (
    CardNote,
    FirstRollRisk,
    Part,
    Stage,
    card_note,
    ended_turns,
    last_round_crosser,
    odds_of,
    score_change_of,
    score_parts,
    stage_of,
)
from bot.games.fortune.minds.evaluation import Advice, advice_of
from bot.games.fortune.news import tell
from bot.games.fortune.pieces import (
    ALL_PLACES,
    DICE_COUNT,
    MAX_SKULLS,
    MIN_ROLLED_DICE,
    STOP,
    CardKind,
    Ending,
    Face,
    Faces,
    GameEvent,
    LineLost,
    Places,
    Revive,
    Roll,
    Rolled,
    State,
    Turn,
    TurnEnded,
    faces_at,
)
from bot.games.fortune.rules import ROLL_ALL
from bot.games.fortune.scoring import points_of, rank_seats, skull_price_of, toll_of, winners_of
from bot.games.fortune.words import (
    FACE_TEXTS,
    card_effect,
    card_name,
    card_rule,
    describe_face_count,
    describe_options,
    describe_pile,
    format_dice,
    word_first_roll_risk,
    word_part,
)
from bot.rules.game import Seat
from bot.rules.screen import (
    Control,
    ControlRow,
    Draft,
    Field,
    News,
    Play,
    Screen,
    Toggle,
    Tone,
    events_of,
    highlight_best,
)
from bot.words import (
    N_,
    format_number,
    format_odds,
    format_signed,
    game_over_title,
    gettext as _,
    progress_bar,
    ranking_rows,
    score_row,
)

_HAIR_SPACE = "\u200a"

_DICE_PER_ROW = DICE_COUNT // 2

_FIRST_ROLL_RISKS = {
    FirstRollRisk.BUST: N_("🎲 First roll: {third} bust"),
    FirstRollRisk.BUST_OR_ISLAND: N_("🎲 First roll: {third} bust, {island} Island"),
    FirstRollRisk.SPELL_OR_ISLAND: N_(
        "🎲 First roll: {third} three skulls (the Sorceress can free one), {island} Island"
    ),
}

_PARTS = {
    Part.SET: N_("{count} {dice} {points}"),
    Part.TREASURE: N_("🪙 💎 {points}"),
    Part.FULL_CHEST: N_("full chest {points}"),
    Part.DOUBLED: N_("all doubled"),
    Part.BATTLE_WON: N_("battle won {points}"),
    Part.SWORDS_MISSING: N_("{swords} of {wanted} ⚔️ for the battle"),
    Part.TRUCE: N_("swords in a Truce"),
}

_SPELL_NOTES: Mapping[CardNote | None, str] = {
    CardNote.SPELL_USED: N_("already used this turn."),
    CardNote.NO_SPELL_ON_ISLAND: N_("no help on the Island."),
}
"""What the card says instead of its effect. Rule FO-C3."""

_STORM_NOTES: Mapping[CardNote | None, str] = {
    CardNote.ONE_ROLL_LEFT: N_("🌊 Storm: one roll left."),
    CardNote.NO_ROLLS_LEFT: N_("🌊 Storm: no rolls left."),
}


def build_screen(view: State, news: Sequence[News[GameEvent]], names: Sequence[str], draft: Draft) -> Screen:
    """Build the screen for all players."""
    if view.mover is None:
        return _end_screen(view, news, names)
    events, turn = events_of(news), view.turn
    return Screen(
        title=_title_of(turn, names[view.mover]),
        busy=_("{name} is rolling …").format(name=names[view.mover]),
        text="\n".join((*_news_lines(view, news, names), *_dice_lines(turn.faces), *worth_lines(turn))),
        fields=(_scores_field(view, events, names), _card_field(view)),
        controls=build_controls(view, draft),
        note=" · ".join(describe_options(view.options)),
        accent=view.mover,
        rule=[*_round_lines(view, news, names, is_short=True), _rule_of(turn)][0],
    )


def _rule_of(turn: Turn) -> str:
    """Return the rule of the Island, or that of the card. Rules FO-9 and FO-C1."""
    if turn.island:
        return _("Island: each skull costs the others {price}").format(price=format_number(skull_price_of(turn.card)))
    return card_rule(turn.card)


def _title_of(turn: Turn, name: str) -> str:
    """Return who is to play, and what to do."""
    if not turn.faces:
        return _("{name}, roll all eight").format(name=name)
    return (_("{name}, roll or stop?") if turn.may_roll else _("{name}, stop now")).format(name=name)


def build_abandoned_fields(view: State, names: Sequence[str]) -> tuple[Field, ...]:
    """Return the fields of an abandoned game: dice, scores and card."""
    dice = (Field(_("Dice"), format_dice(view.turn.faces)),) if view.turn.faces else ()
    return (*dice, _scores_field(view._replace(mover=None), (), names), _card_field(view))


def _dice_lines(faces: Faces) -> tuple[str, ...]:
    """Return the dice as a heading: the largest size at which eight fit into a line on a phone."""
    return (f"## {_HAIR_SPACE.join(FACE_TEXTS[face].symbol for face in faces)}",) if faces else ()


def _card_field(view: State) -> Field:
    """Return the card's effect, or why it no longer has one, and what is left of the pile. Rules FO-1 and FO-C3."""
    card, note = view.turn.card, _SPELL_NOTES.get(card_note(view.turn))
    return Field(card_name(card), f"{_(note) if note else card_effect(card)}\n{describe_pile(view)}")


def _news_lines(view: State, news: Sequence[News[GameEvent]], names: Sequence[str]) -> Iterator[str]:
    """Yield the end of the last turn, then the newest roll."""
    latest = _latest_news(news)
    yield from (tell(view, *each) for each in latest if isinstance(each.event, TurnEnded))
    yield from _round_lines(view, news, names)
    if rolls := [each for each in latest if isinstance(each.event, Rolled)]:
        yield tell(view, *rolls[-1])


def _latest_news(news: Sequence[News[GameEvent]]) -> Sequence[News[GameEvent]]:
    """Return the news from the end of the last turn on."""
    return news[next((at for at in range(len(news) - 1, -1, -1) if isinstance(news[at].event, TurnEnded)), 0) :]


def _round_lines(
    view: State, news: Sequence[News[GameEvent]], names: Sequence[str], *, is_short: bool = False
) -> Iterator[str]:
    """Yield the notice of the last round, or that play went on after it."""
    yield from (tell(view, *each) for each in _latest_news(news) if isinstance(each.event, LineLost))
    if (crosser := last_round_crosser(view)) is not None:
        line = _("🏁 Past {target}! Everyone but {name} gets one last turn.")
        if is_short:
            line = _("🏁 Last round: beat {score}!")
        target, score = format_number(view.options.target), format_number(max(view.scores))
        yield line.format(name=names[crosser], target=target, score=score)


def _scores_field(view: State, events: Sequence[GameEvent], names: Sequence[str]) -> Field:
    target, lines = view.options.target, list[str]()
    for seat, name in enumerate(names):
        score, bar = f"**{format_number(view.scores[seat])}**", progress_bar(view.scores[seat], target)
        line = score_row(seat, name, score, has_turn=seat == view.mover, bar=bar)
        lines.append(f"{line}{_format_change(view, seat, events)}")
    return Field(_("Race past {target}").format(target=format_number(target)), "\n".join(lines))


def _format_change(view: State, seat: Seat, events: Sequence[GameEvent]) -> str:
    """Return the change of a seat's total in the last round, if there is one."""
    change = score_change_of(seat, ended_turns(events, len(view.scores)))
    return f" · {format_signed(change)}" if change else ""


def _end_screen(view: State, news: Sequence[News[GameEvent]], names: Sequence[str]) -> Screen:
    """Return the screen of a finished game."""
    title = _("Final scores · race past {target}").format(target=format_number(view.options.target))
    totals = [
        f"{name} · **{format_number(score)}**{_format_change(view, seat, events_of(news))}"
        for seat, (name, score) in enumerate(zip(names, view.scores, strict=True))
    ]
    ending: list[str] = []
    if view.nine is not None:
        points = points_of(view.turn, Ending.STOPPED)
        line = _("✨ Nine of a kind, **{points}**: **{name}** wins on the spot!")
        ending.append(line.format(points=format_signed(points), name=names[view.nine]))
    return Screen(
        title=game_over_title([names[seat] for seat in winners_of(view)]),
        text="\n".join((*_news_lines(view, news, names), *_dice_lines(view.turn.faces), *ending)),
        fields=(Field(title, ranking_rows(rank_seats(view), totals)), _card_field(view)),
        accent=winners_of(view)[0],
        verdict="\n".join(ending),
    )


def worth_lines(turn: Turn) -> tuple[str, ...]:
    """Describe what stopping and a bust bring."""
    stage = stage_of(turn)
    if stage is Stage.FIRST_ROLL:
        return (word_first_roll_risk(turn, _FIRST_ROLL_RISKS, format_odds),)
    if turn.island:
        line = _("🏝️ Island of Skulls: **{skulls}** skulls cost every opponent **{toll}** so far.")
        return line.format(skulls=turn.skulls, toll=format_number(toll_of(turn))), *island_lines(turn)
    points, joined = points_of(turn, Ending.STOPPED), " · ".join(word_part(each, _PARTS) for each in score_parts(turn))
    parts = _(" ({parts})").format(parts=joined) if joined else ""
    if stage is Stage.IN_DOUBT:
        line = _("💀 Third skull! The Sorceress can still save **{points}**{parts}.")
        return (line.format(points=format_number(points), parts=parts),)
    worth = _("💰 Worth now: **{points}**{parts}").format(points=format_signed(points), parts=parts)
    storm = _STORM_NOTES.get(card_note(turn))
    return worth, *((_risk_line(turn),) if stage is Stage.ROLLING else ()), *((_(storm),) if storm else ())


def island_lines(turn: Turn) -> tuple[str, ...]:
    """Explain the Island to the player who is there. Rules FO-9 and FO-C2."""
    if not turn.island:
        return ()
    line = _(
        "🏝️ Each skull costs every opponent **{price}**, and you score nothing. "
        "A roll without a new skull ends your turn."
    )
    return (line.format(price=format_number(skull_price_of(turn.card))),)


def _risk_line(turn: Turn) -> str:
    """Return the number of skulls and what a bust brings. Rule FO-C1."""
    left = points_of(turn, Ending.DISQUALIFIED)
    if turn.chest:
        bust = _("A bust leaves you the chest: {dice}, **{chest}**.")
    elif turn.card.kind is CardKind.TREASURE_CHEST:
        bust = _("The chest is empty: a bust leaves you nothing.")
    elif left == points_of(turn, Ending.STOPPED):
        bust = _("A bust brings **{points}**, too. Nothing to lose: roll!")
    else:
        bust = _("A bust brings **{points}**.")
    dice = format_dice(faces_at(turn.faces, turn.chest))
    line = _("💀 {skulls} of {most} skulls. {bust}")
    return line.format(
        skulls=turn.skulls,
        most=MAX_SKULLS + 1,
        bust=bust.format(dice=dice, chest=format_number(left), points=format_signed(left)),
    )


def picked_dice(turn: Turn, advice: Advice, draft: Draft) -> Places:
    """Return the picked dice: those to keep, or to put into the chest.

    The dice that the best move keeps are picked at first. The draft has those that were tapped since: each of them is
    the other way round.
    """
    if turn.island:
        return ()
    kept = turn.kept(advice.best.dice) if isinstance(advice.best, Roll | Revive) else ()
    return tuple(place for place in turn.free if (place in kept) != (place in draft))


def build_controls(view: State, draft: Draft) -> tuple[ControlRow, ...]:
    """Return the controls: the dice, the rolls, the Sorceress and Stop."""
    turn, advice = view.turn, advice_of(view)
    if not turn.faces:
        lines: tuple[ControlRow, ...] = ((_roll_control(turn, "all", ROLL_ALL, _("Roll all eight")),),)
    else:
        picked = picked_dice(turn, advice, draft)
        rolls, spells, stop = (
            _roll_controls(turn, picked, advice.roll),
            _revive_controls(turn, picked),
            _stop_control(turn),
        )
        lines = (*_dice_rows(turn, picked), *((rolls, (*spells, stop)) if spells else ((*rolls, stop),)))
    return tuple(highlight_best(line, advice.best) for line in lines if line)


def _dice_rows(turn: Turn, picked: Places) -> tuple[ControlRow, ...]:
    """Return two rows of dice without the skulls, which stay."""
    if turn.island or not turn.may_roll:
        return ()
    rows = (ALL_PLACES[:_DICE_PER_ROW], ALL_PLACES[_DICE_PER_ROW:])
    return tuple(tuple(_die_control(turn, place, picked) for place in row if place in turn.free) for row in rows)


def _die_control(turn: Turn, place: int, picked: Places) -> Control:
    sign = FACE_TEXTS[turn.faces[place - 1]].symbol
    if place not in picked:
        return Control(f"die{place}", f"{sign} {place}", Toggle(place))
    return Control(f"die{place}", f"✓ {sign} {place}", Toggle(place), Tone.CHOSEN)


def _roll_controls(turn: Turn, picked: Places, advised: Roll | None) -> ControlRow:
    """Return buttons for rolling the unpicked dice, only the picked ones, and the best choice."""
    if turn.is_in_doubt or not turn.may_roll:
        return ()
    rest, line = turn.kept(picked), tuple[Control, ...]()
    if len(rest) >= MIN_ROLLED_DICE:
        move = Roll(rest, picked) if turn.card.kind is CardKind.TREASURE_CHEST else Roll(rest)
        control = _roll_control(turn, "roll_rest", move, _roll_label(turn, move, picked), is_composed=bool(picked))
        line += (control,)
    if len(picked) >= MIN_ROLLED_DICE and turn.card.kind is not CardKind.TREASURE_CHEST:
        label = _put_symbol_first(turn, picked, _("Roll only {dice}").format(dice=_name_dice(turn, picked)))
        line += (_roll_control(turn, "roll_picked", Roll(picked), label),)
    if advised is None or advised.dice == rest:
        return line
    # Most players need not pick dice.
    return (*line, _roll_control(turn, "advised", advised, _roll_label(turn, advised, turn.kept(advised.dice))))


def _name_dice(turn: Turn, places: Places) -> str:
    """Return dice in words, the most common face first: a button has room for one symbol, at its beginning."""
    counts = _count_faces(turn, places)
    if len(counts) == 1:
        return describe_face_count(*counts[0])
    # With five faces a label would be too long if single dice were counted.
    return ", ".join(_(FACE_TEXTS[face].name) if n == 1 else describe_face_count(face, n) for face, n in counts)


def _put_symbol_first(turn: Turn, places: Places, label: str) -> str:
    """Begin a label with the face of which there are most."""
    counts = _count_faces(turn, places)
    return f"{FACE_TEXTS[counts[0][0]].symbol} {label}" if counts else label


def _count_faces(turn: Turn, places: Places) -> list[tuple[Face, int]]:
    return Counter(turn.faces[place - 1] for place in places).most_common()


def _roll_label(turn: Turn, move: Roll, kept: Places) -> str:
    """Name the dice that a roll keeps, with the points that are safe in the Treasure Chest. Rule FO-C1."""
    dice, count = _name_dice(turn, kept), len(move.dice)
    if move.chest:
        points = format_signed(points_of(turn._replace(chest=move.chest), Ending.DISQUALIFIED))
        label = _("Chest {dice}: {points}, roll {count}").format(dice=dice, points=points, count=count)
    else:
        label = (_("Keep {dice}, roll {count}") if kept else _("Roll all {count}")).format(dice=dice, count=count)
    return _put_symbol_first(turn, kept, label)


def _revive_controls(turn: Turn, picked: Places) -> ControlRow:
    """Return buttons for re-rolling the first skull with the Sorceress; all skulls are equal. Rule FO-C3."""
    skulls = tuple(place for place in ALL_PLACES if place not in turn.free)
    if not turn.spell or turn.island or not skulls:
        return ()
    skull, rest = skulls[0], turn.kept(picked)
    line: ControlRow = (_roll_control(turn, "spell", Revive(skull), _("🔮 Roll only the skull")),)
    if rest:
        dice = _name_dice(turn, picked)
        label = _("🔮 Keep {dice}, roll {count} + skull") if picked else _("🔮 Roll all {count} + skull")
        text = label.format(dice=dice, count=len(rest))
        line += (_roll_control(turn, "spell_rest", Revive(skull, rest), text),)
    if picked:
        label = _("🔮 Roll only {dice} + skull").format(dice=_name_dice(turn, picked))
        line += (_roll_control(turn, "spell_picked", Revive(skull, picked), label),)
    return line


def _roll_control(turn: Turn, key: str, move: Roll | Revive, label: str, *, is_composed: bool = False) -> Control:
    """Return the button of a roll with its odds of a bust; a composed roll looks like the picked dice."""
    revives = isinstance(move, Revive)
    bust = format_odds(odds_of(turn, len(move.dice) + revives, revives=revives).bust)
    text = _("{roll} ({odds} no skull)") if turn.island else _("{roll} ({odds} bust)")
    tone = Tone.CHOSEN if is_composed else Tone.QUIET
    return Control(key, text.format(roll=label, odds=bust), Play(str(move)), tone)


def _stop_control(turn: Turn) -> Control:
    label = _("Stop: {points}")
    if turn.island:
        label = _("Stop: others −{toll}")
    elif turn.is_in_doubt:
        label = _("Stop: no points")
    points, toll = format_signed(points_of(turn, Ending.STOPPED)), format_number(toll_of(turn))
    return Control("stop", label.format(points=points, toll=toll), Play(str(STOP)))
