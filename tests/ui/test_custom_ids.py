"""Component ids: they survive restarts, fit Discord's limit and never mean anything we did not write."""

import random
import string
from collections.abc import Mapping, Sequence
from dataclasses import Field, fields
from enum import Enum
from types import UnionType
from typing import Any, cast, get_args

import pytest

import bot.app.bootstrap  # noqa: F401 - it knows every kind of id
from bot.platform.discord.ids import MAX_CLOSING_REASON, CustomId, UnknownId, kinds_of_ids, parse_id
from bot.rules.screen import KEY_PATTERN, MAX_TOKENS
from bot.tables.handlers.ids import ControlId, HandControlId, MenuId
from tests.support.each_case import each_case

MOST = 10**18 - 1
LIMIT = 100

EXAMPLES: Mapping[str, Sequence[object]] = {
    **dict.fromkeys(("table_id", "step", "revision", "tournament"), (1, MOST)),
    "key": ("roll", "0", "a_0", "k" * 24),
    "value": ("on", "v" * 24),
    "draft": (frozenset(), frozenset({0}), frozenset({1, 5}), frozenset({63}), frozenset(range(64))),
    "page": (1, 999_999),
    "options_digest": ("0" * 16, "f" * 16),
    "option": ("target", "o" * 32),
    **dict.fromkeys(("guest_id", "player_id"), (2, 2**63 - 1)),
    "game": ("magpie", "houdinis_baggage", "g" * 32),
    "level": ("", "easy"),
    "computers": (0, 5),
    "span": ("all", "season", "month", "week", "2026", "2026-Q4", "2026-12"),
    "puzzle": ("0" * 8, "0123cdef"),
    "day": (0, 20_783, 999_999),
    "period": (1, 10**12 - 1),
    "choice": (0, 9),
    **dict.fromkeys(("round", "board"), (1, 999)),
    "reason": ("", "spam: again", "r" * MAX_CLOSING_REASON),
    "options": ((), ("500", "true", "true", "false")),
}
"""The smallest and the largest values of fields, and special ones."""


def examples_of(field: Field[Any]) -> Sequence[object]:
    """Return values of a field: of an enum every one."""
    if field.name in EXAMPLES:
        return EXAMPLES[field.name]
    if isinstance(field.type, UnionType):
        return [example for kind in get_args(field.type) for example in ids_of(kind)]
    return list(cast("type[Enum]", field.type))


def ids_of(kind: type[CustomId]) -> Sequence[CustomId]:
    """Return ids of a kind in which each value of a field occurs."""
    columns = [examples_of(field) for field in fields(kind)]
    rows = range(max(map(len, columns)))
    return [kind(*(column[min(row, len(column) - 1)] for column in columns)) for row in rows]


IDS = [example for kind in kinds_of_ids() for example in ids_of(kind)]


def test_two_kinds_have_no_prefix_in_common() -> None:
    with pytest.raises(TypeError, match="Twin and ControlId have the same prefix"):

        class Twin(CustomId, prefix=ControlId.prefix):
            """Has the prefix of another kind."""


@each_case("component", IDS)
def test_ids_are_parsed_from_their_own_text(component: CustomId) -> None:
    assert parse_id(str(component)) == component
    assert 1 <= len(str(component)) <= LIMIT


def test_different_ids_have_different_texts() -> None:
    assert len({str(component) for component in IDS}) == len(IDS)


NONSENSE = [
    "",
    ":",
    "t",
    "t:",
    "y:",
    "w:",
    "w:1",
    "w:l:1:2:join",
    "w:w:y:1",
    "w:t:1:2:roll:g",
    "z:1",
    "T:1:2:roll:0",
    "t:1:2:roll",
    "t:1:2:roll:",
    "t:1:2::0",
    "t::2:roll:0",
    "t:1::roll:0",
    "t:1:2:roll:0:",
    "t:1:2:roll:0:0",
    "t:1:2:roll:g",
    "t:1:2:roll:F",
    "t:1:2:roll:-1",
    "t:1:2:roll:0x1",
    "t:1:2:roll:" + "f" * 17,
    "t:1:2:ROLL:0",
    "t:1:2:ro ll:0",
    "t:1:2:ro-ll:0",
    "t:1:2:" + "k" * 25 + ":0",
    "t:-1:2:roll:0",
    "t:+1:2:roll:0",
    "t:1.5:2:roll:0",
    "t: 1:2:roll:0",
    "t:1:2:roll:0\n",
    "\nt:1:2:roll:0",
    "t:1:2:roll:0 ",
    "t:١:2:roll:0",  # an Arabic digit
    "t:1:2:roll:٠",
    "t:1:2:röll:0",
    "t:" + "1" * 19 + ":2:roll:0",
    "t:1:" + "2" * 19 + ":roll:0",
    "t:1_0:2:roll:0",
    "l:1:2:",
    "l:1:2:fly",
    "l:1:2:join:",
    "l:1:2:joinleave",
    "n:1:1000000",
    "d:1:0123456789abcdef",
    "d:1:0123456789abcdef:",
    "d:1:0123456789abcdef:Target",
    "d:1:0123456789abcdef:__class__",
    "d:1:0123456789ABCDEF:target",
    "d:1:0123456789abcde:target",
    "d:1:0123456789abcdef:" + "o" * 33,
    "g:",
    "g:Magpie",
    "g:magpie!",
    "g:../secrets",
    "g:" + "g" * 33,
    "g:magpie\n",
    "u:1:2:y:x",
    "u:1:2:c:1:",
    "u:1:2:w:y:1",
    "u:1:2:u:1:2:y:1",
    "u:1:2:r:1:2",
    "u:1:2:g:Magpie",
    "b:1:2:leap",
    "s:magpie:birds:1",
    "s::people:1",
    "h:there:1",
    "S:",
    "S:PICTURES",
    "\x00",
    "t:1:2:roll:\x00",
    "🎲",
    "t" * 100,
    ":" * 100,
    "1" * 10_000,
]


@each_case("text", NONSENSE)
def test_nonsense_is_refused(text: str) -> None:
    with pytest.raises(UnknownId):
        parse_id(text)


def test_damage_to_an_id_never_causes_an_error_or_another_button() -> None:
    """A damaged id is refused, unless it parses and formats to the same id, up to leading zeros."""
    source = random.Random(1)
    signs = string.ascii_letters + string.digits + ":_- \n\x00é٣²🎲"
    read = 0
    for _ in range(20_000):
        text = list(str(source.choice(IDS)))
        for _ in range(source.randint(1, 4)):
            at = source.randrange(len(text) + 1)
            match source.randrange(3):
                case 0:
                    text.insert(at, source.choice(signs))
                case 1:
                    del text[at : at + 1]
                case _:
                    text[at : at + 1] = source.choice(signs)
        damaged = "".join(text)
        try:
            component = parse_id(damaged)
        except UnknownId:
            continue
        read += 1
        assert without_zeros(str(component)) == without_zeros(damaged)
        assert len(str(component)) <= LIMIT
    assert 0 < read < 20_000


def without_zeros(text: str) -> list[str]:
    return [part.lstrip("0") or "0" for part in text.split(":")]


@each_case("kind", [ControlId, MenuId])
def test_the_longest_key_and_draft_of_a_screen_fit_into_an_id(kind: type[ControlId | MenuId]) -> None:
    """What the contract of games demands of a key and a draft is enough, in a hand too."""
    key, draft = "x" * 24, frozenset(range(MAX_TOKENS))
    assert KEY_PATTERN.fullmatch(key)
    assert not KEY_PATTERN.fullmatch(f"{key}x")
    component = HandControlId(kind(10**18 - 1, 10**18 - 1, key, draft))
    assert len(str(component)) <= 100
    assert parse_id(str(component)) == component
