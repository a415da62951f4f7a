"""Fortune's screen: the news, the dice, the stakes, the scores, the card and the buttons."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from bot.games.fortune.facts import (
    CardNote,
    FirstRollRisk,
    Part,
    Stage,
    card_note,
    gain_of_stopping,
    is_stopping_enough,
    last_round_crosser,
    odds_of,
    score_parts,
    score_to_beat,
    stage_of,
    trace_of,
)
from bot.games.fortune.minds.evaluation import RaceEvaluator, advice_of
from bot.games.fortune.news import tell
from bot.games.fortune.pieces import (
    ALL_PLACES,
    DICE_COUNT,
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
    CARD_TEXTS,
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
    EMPTY_DRAFT,
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
    list_facts,
    ngettext,
    progress_bar,
    ranking_rows,
    score_row,
    with_note,
)

_HAIR_SPACE = "\u200a"

_MAX_LABEL_LENGTH = 36
"""The letters of a button that fit into a line on a phone: a symbol, a space, and 34 more."""

_DICE_PER_ROW = DICE_COUNT // 2

STOP_TOKEN: Final = DICE_COUNT + 1
"""The token of the question whether to stop although that gains nothing; the tokens before it are places of dice."""

_TITLES = {
    Stage.FIRST_ROLL: N_("{name}, roll all eight"),
    Stage.ROLLING: N_("{name}, roll or stop?"),
    Stage.IN_DOUBT: N_("{name}, free a skull?"),
    Stage.ROLLS_MADE: N_("{name}, no rolls left"),
    Stage.VOYAGE: N_("{name}, roll for skulls"),
}

_FIRST_ROLL_RISKS = {
    FirstRollRisk.BUST: N_("🎲 First roll: {third} to bust"),
    FirstRollRisk.BUST_OR_ISLAND: N_("🎲 First roll: {third} to bust, {island} to sail to the Island"),
    FirstRollRisk.SPELL_OR_ISLAND: N_(
        "🎲 First roll: {third} for three skulls (the Sorceress can free one), {island} to sail to the Island"
    ),
}

_PARTS = {
    Part.SET: "{count} {dice} {points}",
    Part.TREASURE: "🪙 💎 {points}",
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

_RULE_NOTES: Mapping[CardNote | None, str] = {
    CardNote.SPELL_USED: N_("Sorceress: already used this turn"),
    CardNote.ONE_ROLL_LEFT: N_("Storm: one roll left; 🪙 💎 pay, 200 each"),
    CardNote.NO_ROLLS_LEFT: N_("Storm: no rolls left"),
}
"""What the line beside the picture says instead of the card's rule. Rules FO-C3 and FO-C8."""

_STORM_NOTES: Mapping[CardNote | None, str] = {
    CardNote.ONE_ROLL_LEFT: N_("🌊 Storm: one roll left."),
    CardNote.NO_ROLLS_LEFT: N_("🌊 Storm: no rolls left."),
}


def build_screen(
    view: State, news: Sequence[News[GameEvent]], names: Sequence[str], draft: Draft, *, evaluate: RaceEvaluator
) -> Screen:
    """Build the screen for all players."""
    if view.mover is None:
        return _end_screen(view, news, names)
    events, turn = events_of(news), view.turn
    shortcuts, controls = _build_controls(view, draft, evaluate)
    doubt = _word_doubt(view) if STOP_TOKEN in draft else ""
    return Screen(
        title=_title_of(view, names[view.mover], has_doubt=bool(doubt)),
        busy=_("{name} is rolling …").format(name=names[view.mover]),
        text="\n".join((*_news_lines(view, news, names), *_dice_lines(turn.faces), *_worth_lines(turn, doubt))),
        fields=(_scores_field(view, events, names), _card_field(view)),
        shortcuts=shortcuts,
        controls=controls,
        note=" · ".join(describe_options(view.options)),
        accent=view.mover,
        rule=doubt or _rule_of(view, news),
    )


def _rule_of(view: State, news: Sequence[News[GameEvent]]) -> str:
    """Return the rule of the Island or the card, or that play goes on after a last round. Rules FO-9 and FO-E2."""
    turn = view.turn
    if not turn.faces and any(isinstance(each.event, LineLost) for each in _latest_news(news)):
        return _("No one is past {target}: play goes on").format(target=format_number(view.options.target))
    if turn.island:
        return _("Island: each skull costs the others {price}").format(price=format_number(skull_price_of(turn.card)))
    note = _RULE_NOTES.get(card_note(turn))
    return card_rule(turn.card) if note is None else _(note)


def _title_of(view: State, name: str, *, has_doubt: bool) -> str:
    """Return who is to play, and what to do; in the last round, what it takes."""
    if has_doubt:
        return _("{name}, stop anyway?").format(name=name)
    stage, to_beat = stage_of(view.turn), score_to_beat(view)
    if to_beat is not None and stage in (Stage.FIRST_ROLL, Stage.ROLLING) and not is_stopping_enough(view):
        return _("{name}, roll to beat {score}").format(name=name, score=format_number(to_beat))
    return _(_TITLES[stage]).format(name=name)


def _word_doubt(view: State) -> str:
    """Return why a player who can roll should not stop, or nothing. Rules FO-C4 and FO-E2."""
    to_beat, total = score_to_beat(view), view.scores[view.mover or 0] + gain_of_stopping(view.turn)
    if to_beat is not None and not is_stopping_enough(view):
        line = _("{total} is not enough: beat {score}")
        return line.format(total=format_number(total), score=format_number(to_beat))
    return _("You have nothing to lose: roll on") if _has_nothing_to_lose(view.turn) else ""


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
    effect = _(note) if note else card_effect(card)
    return Field(card_name(card), f"{effect}\n{describe_pile(view)}")


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


def _round_lines(view: State, news: Sequence[News[GameEvent]], names: Sequence[str]) -> Iterator[str]:
    """Yield the notice of the last round, or that play went on after it."""
    yield from (tell(view, *each) for each in _latest_news(news) if isinstance(each.event, LineLost))
    if (crosser := last_round_crosser(view)) is not None:
        line = _("🏁 Past {target}! Everyone but {name} gets one last turn.")
        yield line.format(name=names[crosser], target=format_number(view.options.target))


def _scores_field(view: State, events: Sequence[GameEvent], names: Sequence[str]) -> Field:
    target, lines = view.options.target, list[str]()
    for seat, name in enumerate(names):
        score, bar = f"**{format_number(view.scores[seat])}**", progress_bar(view.scores[seat], target)
        line = score_row(seat, name, score, has_turn=seat == view.mover, bar=bar)
        lines.append(f"{line}{_word_trace(view, seat, events)}")
    return Field(_("Race past {target}").format(target=format_number(target)), "\n".join(lines))


def _word_trace(view: State, seat: Seat, events: Sequence[GameEvent]) -> str:
    """Return what the last turn of a seat brought, or what a bust took, struck through."""
    change, lost = trace_of(view, seat, events)
    if change:
        return f" · {format_signed(change)}"
    return f" · ~~{format_number(lost)}~~" if lost else ""


def _end_screen(view: State, news: Sequence[News[GameEvent]], names: Sequence[str]) -> Screen:
    """Return the screen of a finished game."""
    title = _("Final scores · race past {target}").format(target=format_number(view.options.target))
    totals = [
        f"{name} · **{format_number(score)}**{_word_trace(view, seat, events_of(news))}"
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


def _worth_lines(turn: Turn, doubt: str) -> tuple[str, ...]:
    """Describe what stopping and a bust bring, and why not to stop."""
    stage = stage_of(turn)
    if stage is Stage.FIRST_ROLL:
        return (word_first_roll_risk(turn, _FIRST_ROLL_RISKS, format_odds),)
    if turn.island:
        line = ngettext(
            "🏝️ Island of Skulls: **{skulls}** skull costs every opponent **{toll}** so far.",
            "🏝️ Island of Skulls: **{skulls}** skulls cost every opponent **{toll}** so far.",
            turn.skulls,
        )
        rule = _(
            "🏝️ Each skull costs every opponent **{price}**, and you score nothing. "
            "A roll without a new skull ends your turn."
        )
        return (
            line.format(skulls=turn.skulls, toll=format_number(toll_of(turn))),
            rule.format(price=format_number(skull_price_of(turn.card))),
        )
    points, joined = points_of(turn, Ending.STOPPED), " · ".join(word_part(each, _PARTS) for each in score_parts(turn))
    if stage is Stage.IN_DOUBT:
        line = _("💀 Third skull! The Sorceress can still save {points}.")
        return line.format(points=with_note(f"**{format_number(points)}**", joined)), *filter(None, [doubt])
    worth = _("💰 Worth now: {points}").format(points=with_note(f"**{format_signed(points)}**", joined))
    storm = _STORM_NOTES.get(card_note(turn))
    return worth, *filter(None, (_risk_line(turn) if stage is Stage.ROLLING else "", storm and _(storm), doubt))


def _risk_line(turn: Turn) -> str:
    """Return the number of skulls and what a bust brings. Rule FO-C1."""
    left = points_of(turn, Ending.DISQUALIFIED)
    if turn.chest:
        bust = _("A bust leaves you the chest: {dice}, **{chest}**.")
    elif turn.card.kind is CardKind.TREASURE_CHEST:
        bust = _("The chest is empty: a bust leaves you nothing.")
    elif left == points_of(turn, Ending.STOPPED):
        bust = _("A bust brings **{points}**, too, so you have nothing to lose: roll!")
    else:
        bust = _("A bust brings **{points}**.")
    dice = format_dice(faces_at(turn.faces, turn.chest))
    line = _("💀 {skulls} of 3 skulls. {bust}")
    return line.format(
        skulls=turn.skulls,
        bust=bust.format(dice=dice, chest=format_number(left), points=format_signed(left)),
    )


class _Picked(NamedTuple):
    """The dice that the player to move has picked."""

    kept: Places = ()
    """Those to keep, or to put into the chest. Rule FO-C1."""
    freed: int | None = None
    """The skull that the Sorceress is to free. Rule FO-C3."""

    @classmethod
    def of(cls, turn: Turn, draft: Draft) -> "_Picked":
        """Read a draft, which has the places of the picked dice. A third skull is to be freed unasked."""
        skulls = [place for place in ALL_PLACES if place not in turn.free]
        freed = skulls if turn.is_in_doubt else [place for place in skulls if place in draft]
        kept = tuple([place for place in turn.free if place in draft])
        return cls(kept, freed[0] if freed and turn.spell else None)

    def roll_others(self, turn: Turn) -> Roll | Revive | None:
        """Return the roll of the other dice, or None if there are too few. Rules FO-2, FO-C1 and FO-C3."""
        others = turn.kept(self.kept)
        if self.freed is not None:
            return Revive(self.freed, others)
        if len(others) < MIN_ROLLED_DICE:
            return None
        return Roll(others, self.kept if turn.card.kind is CardKind.TREASURE_CHEST else ())


def _build_controls(view: State, draft: Draft, evaluate: RaceEvaluator) -> tuple[ControlRow, tuple[ControlRow, ...]]:
    """Return the best roll as a shortcut, and below it *Stop* beside the roll of the dice not picked, and the dice.

    What can't be used now stays in its place, disabled, so that nothing moves in a turn.
    """
    turn, picked = view.turn, _Picked.of(view.turn, draft)
    stop = Control("stop", _name_stopping(view), Play(str(STOP)))
    if not turn.faces:
        first = Control("all", _name_first_roll(turn), Play(str(ROLL_ALL)), Tone.CHOSEN)
        return (first,), ((replace(stop, is_disabled=True),), *_dice_rows(turn, picked, can_pick=False))
    advice = advice_of(view, evaluate)
    if not advice.rolls:
        none = Control("advised", _("🎲 No roll is left"), Play(str(ROLL_ALL)), is_disabled=True)
        return (), ((none,), (replace(stop, tone=Tone.CHOSEN),), *_dice_rows(turn, picked, can_pick=False))
    names = [_name_roll(turn, roll) for roll in advice.rolls]
    at = next((at for at, name in enumerate(names) if len(name) <= _MAX_LABEL_LENGTH), 0)
    best = Control("advised", names[at], Play(str(advice.rolls[at])))
    composed = None if turn.island else picked.roll_others(turn)
    rest = () if composed is None else (_composed_control(view, composed),)
    if not turn.island and advice.best != STOP and STOP_TOKEN not in draft and _word_doubt(view):
        stop = replace(stop, effect=Toggle(STOP_TOKEN))
    dice = _dice_rows(turn, picked, can_pick=not turn.island)
    if picked != _Picked.of(turn, EMPTY_DRAFT) and rest:
        # What is picked is the next step, so nothing else stands out.
        return (best,), ((stop, replace(rest[0], tone=Tone.CHOSEN)), *dice)
    if is_stopping_enough(view) and not _has_nothing_to_lose(turn):
        stop = replace(stop, tone=Tone.CHOSEN)
    else:
        best = replace(best, tone=Tone.CHOSEN)
    # Rolling all is offered like any other roll: only if it is one of the best, and once.
    if composed not in advice.rolls or composed == advice.rolls[at]:
        rest = ()
    return highlight_best((best,), advice.best), (highlight_best((stop, *rest), advice.best), *dice)


def _has_nothing_to_lose(turn: Turn) -> bool:
    """Return whether stopping brings no more than a roll brings at worst."""
    return turn.island or gain_of_stopping(turn) <= points_of(turn, Ending.DISQUALIFIED)


def _dice_rows(turn: Turn, picked: _Picked, *, can_pick: bool) -> tuple[ControlRow, ...]:
    """Return two rows of dice, in which skulls stay in their places, and before the first roll all eight."""
    rows = (ALL_PLACES[:_DICE_PER_ROW], ALL_PLACES[_DICE_PER_ROW:])
    return tuple(tuple([_die_control(turn, place, picked, can_pick=can_pick) for place in row]) for row in rows)


def _die_control(turn: Turn, place: int, picked: _Picked, *, can_pick: bool) -> Control:
    """Return the button of a die, with a tick if it is kept. Only the Sorceress can free a skull. Rule FO-C3."""
    key, symbol = f"die{place}", FACE_TEXTS[turn.faces[place - 1]].symbol if turn.faces else "🎲"
    if not can_pick:
        return Control(key, symbol, Toggle(place), is_disabled=True)
    if place in turn.free:
        return Control(key, f"✓ {symbol}" if place in picked.kept else symbol, Toggle(place))
    label = CARD_TEXTS[CardKind.SORCERESS].symbol if place == picked.freed else symbol
    others = frozenset(ALL_PLACES) - {place, *turn.free}
    return Control(key, label, Toggle(place, others), is_disabled=turn.is_in_doubt or not turn.spell)


def _name_first_roll(turn: Turn) -> str:
    """Name the first roll with its risks, those of the two plates in the picture. Rules FO-9 and FO-10."""
    bust, island = _word_risk(turn, ROLL_ALL), odds_of(turn, DICE_COUNT).island
    label = _("🎲 Roll all 8 · {bust}, {island} Island") if island else _("🎲 Roll all 8 · {bust}")
    return label.format(bust=bust, island=format_odds(island))


def _name_roll(turn: Turn, move: Roll | Revive) -> str:
    """Name the dice that a roll keeps or rolls, and its risk, in at most `_MAX_LABEL_LENGTH` letters if possible."""
    if turn.island:
        skull = format_odds(1 - odds_of(turn, len(turn.free)).bust)
        return _("🎲 Roll all {count} · {odds} for a skull").format(count=len(turn.free), odds=skull)
    # What the chest saves says more than the risk, and there is no room for both.
    risks = (_word_saved(turn, move) or _word_risk(turn, move), _format_bust(turn, move))
    texts = [f"{name} · {risk}" for risk in risks for name in _roll_names(turn, move)]
    return next((text for text in texts if len(text) <= _MAX_LABEL_LENGTH), min(texts, key=len))


def _roll_names(turn: Turn, move: Roll | Revive) -> Sequence[str]:
    """Return names of a roll: what it rolls, and what it keeps, which comes first if it is one kind of dice."""
    if isinstance(move, Revive):
        return (_("🔮 Roll {dice}").format(dice=_name_dice(turn, (*move.dice, move.skull))),)
    kept, count = turn.kept(move.dice), len(move.dice)
    if not kept:
        return (_("🎲 Roll all {count}").format(count=count),)
    by_rolled = _("🎲 Roll {dice}").format(dice=_name_dice(turn, move.dice))
    faces = _most_common(turn, kept)
    by_kept = _("{symbol} Keep {dice}, roll {count}").format(
        symbol=FACE_TEXTS[faces[0][0]].symbol, dice=_name_dice(turn, kept), count=count
    )
    return (by_kept, by_rolled) if len(faces) == 1 else (by_rolled, by_kept)


def _name_dice(turn: Turn, places: Places) -> str:
    """Return dice in words; a button has room for one symbol, at its beginning."""
    return list_facts(
        _(FACE_TEXTS[face].name) if count == 1 else describe_face_count(face, count)
        for face, count in _most_common(turn, places)
    )


def _most_common(turn: Turn, places: Places) -> list[tuple[Face, int]]:
    return Counter(faces_at(turn.faces, places)).most_common()


def _composed_control(view: State, move: Roll | Revive) -> Control:
    """Return the button that rolls the dice that are not picked."""
    turn, count = view.turn, len(move.dice)
    kept = len(turn.kept(move.dice))
    # Beside a *Stop* that is not enough there is no room for what is kept.
    label = _("Keep {kept}, roll {count}") if is_stopping_enough(view) else _("Roll {count}")
    if isinstance(move, Revive):
        label, count = _("🔮 Roll {count}"), count + 1
    elif not kept:
        label = _("Roll all {count}")
    risk = _word_saved(turn, move) or _word_risk(turn, move)
    label = label.format(kept=format_number(kept), count=format_number(count))
    return Control("roll", f"{label} · {risk}", Play(str(move)))


def _word_risk(turn: Turn, move: Roll | Revive) -> str:
    """Return the risk of a bust."""
    odds = _format_bust(turn, move)
    return _("no bust") if odds == format_odds(0) else _("{odds} bust").format(odds=odds)


def _format_bust(turn: Turn, move: Roll | Revive) -> str:
    revives = isinstance(move, Revive)
    return format_odds(odds_of(turn, len(move.dice) + revives, revives=revives).bust)


def _word_saved(turn: Turn, move: Roll | Revive) -> str:
    """Return the points of the dice in the Treasure Chest, or nothing. Rule FO-C1."""
    if isinstance(move, Revive) or not move.chest:
        return ""
    points = points_of(turn._replace(chest=move.chest), Ending.DISQUALIFIED)
    return _("{points} safe").format(points=format_number(points)) if points else ""


def _name_stopping(view: State) -> str:
    """Return what stopping brings, or the total if that is not enough in the last round."""
    turn, points = view.turn, gain_of_stopping(view.turn)
    label = _("Stop · {points}") if points else _("Stop · no points")
    if turn.island:
        label = _("Stop · others −{toll}")
    elif not is_stopping_enough(view):
        label = _("Stop · {total}, not enough")
    total = format_number(view.scores[view.mover or 0] + points)
    return label.format(points=format_signed(points), toll=format_number(toll_of(turn)), total=total)
