"""The story next to a picture: what the last turns brought, in two lines on a phone."""

import re
from collections.abc import Iterator, Sequence
from operator import sub
from typing import Final, NamedTuple

from bot.rules.game import Seat
from bot.rules.race import count_turns, unpack_race
from bot.rules.rewards import SeatBadge
from bot.rules.story import TurnNews
from bot.tables.highlights import heavy_highlight
from bot.tables.remarks import words_of
from bot.tables.shown.links import count_letters, escaped_seat_names
from bot.tables.shown.story import seat_names, turns_of
from bot.tables.table import Table
from bot.words import NO_BREAK_SPACE, format_signed, gettext as _, truncate

EMPTY_LINE: Final = "\N{BRAILLE PATTERN BLANK}"
"""A line that Discord shows although nothing is on it."""

LETTERS_IN_LINE: Final = 40
"""The letters of ordinary print in a line of an embed on a phone, measured on the sandbox's page at 390 px."""


_SHORT_BRIEF: Final = 10
"""The letters of a turn's words that are not shortened, such as `no points`."""

_FEW_OTHERS: Final = 2
"""The others whose turns are all told in shorter words before one of them is left out."""

_SHORT_NAME: Final = 8
"""The letters of a name where a longer one leaves a story no room."""


_HAS_LOOSE_END: Final = re.compile(
    r"(?:^|\. )(?:[^ *.]+(?: |$)){0,2}(?:\*\*[^*]+\*\*\S*)?$|^(?:[^*]*\*\*[^*]*\*\*)*[^*]*\*\*[^*]*$"
)
"""What a line does not end with: one or two words or the name that begin a sentence, or a part of a name."""


class _ToldTurn(NamedTuple):
    """A turn with its place in the story."""

    seat: Seat
    brief: str
    brief_change: str
    change: int
    """How much the turn has changed the seat's score; 0 if the game tells no scores."""
    others_change: int
    """How much it has changed that of the seat whose turn the story begins with, if that is another."""

    @property
    def points(self) -> str:
        """The same in print; in words where it changed nothing, because a bare 0 says too little."""
        return format_signed(self.change) if self.change else self.brief_change or self.brief


def tell_story(
    table: Table, rule: str = "", tip: str = "", *, by_name: bool = False, remark: str = "", badge: str = ""
) -> str:
    """Tell in exactly two lines what has happened since the last turn of the player to move.

    Args:
        table: A table with a picture.
        rule: What matters to the person to move now; it leaves the news one line.
        tip: A tip, which takes the place of the rule; the rule takes that of the news as long as there are none.
        by_name: Whether to name even the only person at the table, who is addressed otherwise.
        remark: What a computer player says; it is left out where it does not fit, and no news for its sake.
        badge: The badge that somebody has just earned; it takes the place of the tip and of the rule.
    """
    rule = "" if table.header.awaits_computer else rule
    second_line = badge or tip or rule
    people = [] if by_name else [seat for seat in range(len(table.seats)) if not table.is_automatic(seat)]
    turns = _tell_turns(table)
    # Until there are news, the rule needs their line if there is a tip.
    said = "" if tip and rule and not turns else remark.replace(" ", NO_BREAK_SPACE)
    stories = [
        " ".join(filter(None, told)) for story in _shorten(table, turns, people) for told in ((story, said), (story,))
    ]
    if tip and rule and not any(stories):
        return f"{rule}\n{tip}"
    return lay_out_story(stories, second_line)


def tell_last_turns(table: Table, seat: Seat, told_brief: str = "") -> str:
    """Tell in at most one line the last turn of the person who moved last, and what followed it, if it is a seat's.

    Args:
        table: A finished table.
        seat: The seat.
        told_brief: What is already told of a turn of this seat, which is not repeated.
    """
    people = [seat for seat in range(len(table.seats)) if not table.is_automatic(seat)]
    turns = _tell_turns(table)
    is_new = turns and turns[0].seat == seat and turns[0].brief != told_brief
    stories = _shorten(table, turns if is_new else (), people)
    return next((story for story in stories if _width_of(story) <= LETTERS_IN_LINE), "")


def lay_out_story(stories: Sequence[str], second_line: str = "") -> str:
    """Return the first of some stories that fits, in exactly two lines; if none does, the beginning of the last.

    Args:
        stories: The stories, the most welcome first.
        second_line: What leaves the story one line; or empty.
    """
    if second_line:
        story = next((story for story in stories if _width_of(story) <= LETTERS_IN_LINE), "")
        lines = [story or _cut("".join(stories[-1:])), second_line]
    else:
        # Lines are broken here, because a text that breaks by itself takes one line on one phone and two on another.
        broken = (_break(story) for story in stories)
        lines = list(next((lines for lines in broken if lines), (_cut("".join(stories[-1:])),)))
    lines = [line for line in lines if line]
    return "\n".join((*lines, *[EMPTY_LINE] * (2 - len(lines))))


def _width_of(story: str) -> int:
    """Return the letters that a story takes; a bold name is as wide as one with two letters more."""
    return count_letters(story.replace("**", "##").replace("*", "").replace("##", "*"))


def _break(story: str) -> Sequence[str]:
    """Break a story into at most two lines, if it can be, after a sentence; return none if it does not fit."""
    if _width_of(story) <= LETTERS_IN_LINE:
        return (story,)
    words = story.split(" ")
    breaks = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    fitting = [
        lines
        for lines in breaks
        if max(map(_width_of, lines)) <= LETTERS_IN_LINE and not _HAS_LOOSE_END.search(lines[0])
    ]
    # The last possible break after a sentence, or else the one that makes the lines most even.
    after_sentence = [lines for lines in fitting if lines[0].endswith(".")]
    if after_sentence:
        return after_sentence[-1]
    return min(fitting, key=lambda lines: max(map(_width_of, lines)), default=())


def _cut(story: str) -> str:
    """Return the beginning of a story; symbols take the room of two letters."""
    cuts = (truncate(story, length) for length in range(LETTERS_IN_LINE, 0, -1))
    return next(cut for cut in cuts if _width_of(cut) <= LETTERS_IN_LINE)


def tell_remark(table: Table) -> str:
    """Return what a computer player has said in the turns that the story tells, or at the start; empty if nothing."""
    remark = max(table.remarks, key=lambda remark: remark.turn, default=None)
    ended = count_turns(table.race, len(table.seats))
    heard = sum(turn.is_over for turn in _heard_turns(table))
    if remark is None or (ended and remark.turn <= ended - heard):
        return ""
    words = words_of(remark, table.seats[remark.seat].level or "", table.header.salt)
    return _("{name}: *{words}*").format(words=words, name=escaped_seat_names(table)[remark.seat])


def heard_badges(table: Table) -> frozenset[SeatBadge]:
    """Return the badges that were awarded for the turns that the story tells."""
    if not table.awards:
        return frozenset()
    awarded = {(award.user_id, award.badge) for award in table.awards}
    badges = (badge for turn in _heard_turns(table) for badge in turn.badges)
    return frozenset(
        badge for badge in badges if (table.seats[badge.seat].user_id, f"{table.header.game}/{badge.key}") in awarded
    )


def _heard_turns(table: Table) -> Sequence[TurnNews]:
    """Return the turns since the listener's last one, that one included; a person's turn that goes on is alone.

    The listener is the player to move; before and within a computer player's turn, the person who moved last.
    """
    turns = turns_of(table, None)
    if turns and not turns[-1].is_over and not table.is_automatic(turns[-1].seat):
        return turns[-1:]
    listener = table.header.to_move
    if listener is None or table.is_automatic(listener):
        listener = next((turn.seat for turn in reversed(turns) if not table.is_automatic(turn.seat)), None)
    return turns[max((number for number, turn in enumerate(turns) if turn.seat == listener), default=0) :]


def _tell_turns(table: Table) -> list[_ToldTurn]:
    """Return the turns that the listener hears of and that brought something."""
    turns = _heard_turns(table)
    narration, view = table.package.words.narration, table.package.game.view(table.state, None)
    if narration is None:
        return []
    return [
        _ToldTurn(turn.seat, brief, narration.brief_change(view, turn.news), changes[turn.seat], changes[turns[0].seat])
        for turn, changes in zip(turns, _changes(table, turns), strict=True)
        if (brief := narration.brief(view, turn.news))
    ]


def _changes(table: Table, turns: Sequence[TurnNews]) -> Iterator[Sequence[int]]:
    """Yield how much each of the newest turns changed the score of every seat."""
    race = unpack_race(table.race, len(table.seats))
    ended = sum(turn.is_over for turn in turns)
    for _turn, row in zip(turns, range(len(race) - ended, len(race) + 1), strict=False):
        is_known = 0 < row < len(race)
        yield list(map(sub, race[row], race[row - 1])) if is_known else [0] * len(table.seats)


def _shorten(table: Table, turns: Sequence[_ToldTurn], people: Sequence[Seat]) -> Iterator[str]:
    """Yield ever shorter stories: all turns, the listener's with the weightiest of the others, the listener's alone.

    One's own result stays to be read until one's next turn, so names are cut before it is left out.
    """
    if not turns:
        yield ""
        return
    names, short_names = seat_names(table), seat_names(table, _SHORT_NAME)
    first, *others = turns
    yield _join(names, turns, people)
    if others:
        best = _weightiest(table, others)
        changes = [_with_words(turn, turn.brief_change or turn.points) for turn in turns]
        points = [_with_words(turn, turn.points) for turn in turns]
        if len(others) == _FEW_OTHERS:
            yield _list(names, changes, people)
            yield _list(names, points, people)
        if len(others) > 1:
            yield _("{story} The others: see the rows.").format(story=_join(names, (first, best), people))
            yield _join(names, (first, best), people)
        for told in (changes, points) if table.race else ():
            yield _list(names, told, people)
            yield _list(names, (told[0], told[turns.index(best)]), people)
        yield _list(short_names, (points[0], points[turns.index(best)]), people)
    for own in (first, _with_words(first, first.brief_change or first.points)):
        yield _join(names, [own], people)
        yield _join(short_names, [own], people)


def _weightiest(table: Table, others: Sequence[_ToldTurn]) -> _ToldTurn:
    """Return the newest turn if it goes on or the picture shows its moment, else the latest of those that matter most.

    A turn matters by what it gained its seat and what it did to the listener.
    """
    newest, view = others[-1], table.package.game.view(table.state, None)
    if not table.news[-1].ends_turn or heavy_highlight(table, view) is not None:
        return newest
    sign = -1 if table.package.results.score_kind.lower_is_better else 1
    return max(reversed(others), key=lambda turn: sign * turn.change + abs(turn.others_change))


def _with_words(turn: _ToldTurn, words: str) -> _ToldTurn:
    """Return a turn in other words, unless its own are as short."""
    return turn if len(turn.brief) <= _SHORT_BRIEF else turn._replace(brief=words)


def _list(names: Sequence[str], turns: Sequence[_ToldTurn], people: Sequence[Seat]) -> str:
    """Return turns as sentences that do not refer to each other."""
    return " ".join(_join(names, [turn], people) for turn in turns)


def _join(names: Sequence[str], turns: Sequence[_ToldTurn], people: Sequence[Seat]) -> str:
    """Return turns as sentences; if people has one seat that person is `You`, and `Then` begins the answer."""
    sentences = list[str]()
    for number, turn in enumerate(turns):
        who = f"**{names[turn.seat]}**"
        # Translators: {brief} is what the turn brought, such as "full house, +8".
        line = _("{who}: {brief}.")
        if people == [turn.seat]:
            who = _("You")
        elif number == 1 and people == [turns[0].seat]:
            # Translators: {brief} is what the turn brought, such as "full house, +8".
            line = _("Then {who}: {brief}.")
        sentences.append(line.format(who=who, brief=turn.brief))
    return " ".join(sentences)
