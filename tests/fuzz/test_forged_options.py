"""Every option of every command with values that it does not declare: each gets a sentence, and nothing is stored."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

from bot.sandbox.model.application import OptionType
from bot.sandbox.model.servers import Role
from tests.fuzz.acts import Act, ActKind, Json, SentAnswer
from tests.fuzz.command_generator import CommandPath, build_command_data, walk_commands
from tests.fuzz.harness import FuzzHarness, run_harness
from tests.fuzz.people_and_places import MODERATOR, PEOPLE, SERVER_PLACES
from tests.support.payloads import user_payload

TYPICAL_VALUES: dict[int, Any] = {
    OptionType.STRING: "magpie",
    OptionType.INTEGER: 1,
    OptionType.BOOLEAN: True,
    OptionType.USER: "102",
    OptionType.CHANNEL: "31",
    OptionType.ROLE: "555",
}
TEXT_CHANNEL, CATEGORY = 0, 4
UNKNOWN_ID = "999"
RESOLVED: Json = {
    "users": {"102": user_payload(PEOPLE[1].id, PEOPLE[1].name)},
    "members": {
        "102": {"roles": [], "joined_at": "2026-01-01T00:00:00+00:00", "permissions": "1024", "flags": 0},
    },
    "channels": {
        "31": {"id": "31", "name": "table-one", "type": TEXT_CHANNEL, "permissions": "0", "parent_id": None},
        "32": {"id": "32", "name": "all", "type": CATEGORY, "permissions": "0", "parent_id": None},
    },
    "roles": {"555": Role(555, "Players").payload()},
}
OWN_TABLES = ("shared_seeds", "jobs")
ODD_TEXTS = ("0", "-1", "9" * 19, "9" * 40, "٣", "🎲", "\x00", "%s", "{seed}", "NaN", ":", "x" * 40)
_IDS = count(7_000_000)
EXPECTED_WORDS = ("takes only one of these", "takes a whole number", "in characters", "I can't find", "has changed")


def valid_value(spec: Json) -> Any:
    """Return a value that an option takes."""
    if choices := spec.get("choices"):
        return choices[0]["value"]
    return spec.get("min_value", TYPICAL_VALUES[spec["type"]])


def forged_values(spec: Json) -> Iterator[tuple[int, Any]]:
    """Yield types and values that an option does not take."""
    kind = spec["type"]
    for other, value in TYPICAL_VALUES.items():
        if other != kind:
            yield other, value
        if type(value) is not type(TYPICAL_VALUES[kind]):
            yield kind, value
    yield kind, None
    yield kind, [TYPICAL_VALUES[kind]]
    if spec.get("choices"):
        yield from ((kind, each) for each in (["", "odd", "x" * 10_000] if kind == OptionType.STRING else [-1, 10**12]))
    match kind:
        case OptionType.INTEGER:
            least, most = spec.get("min_value", -(2**53)), spec.get("max_value", 2**53)
            yield from ((kind, each) for each in (least - 1, most + 1, -(2**70), 2**70))
        case OptionType.STRING:
            yield kind, "x" * (spec.get("max_length", 6000) + 1)
            if spec.get("min_length"):
                yield kind, ""
        case OptionType.USER | OptionType.ROLE:
            yield from ((kind, each) for each in (UNKNOWN_ID, "-1", "no id", "٣"))
        case OptionType.CHANNEL:
            yield from ((kind, each) for each in (UNKNOWN_ID, "-1", "no id"))
            assert CATEGORY not in spec["channel_types"]
            yield kind, "32"
        case _:
            assert kind == OptionType.BOOLEAN, "values of other types are forged, too"


def forged_options(spec: Json, others: Sequence[Json]) -> Iterator[list[Json]]:
    """Yield the options of a command with one forged, and the others that it requires."""
    for kind, value in forged_values(spec):
        yield [*others, {"name": spec["name"], "type": kind, "value": value}]
    if spec.get("required"):
        yield list(others)


def forged_commands(leaf: Json) -> Iterator[list[Json]]:
    """Yield the options of a command with each of them forged in every way."""
    specs = leaf.get("options") or []
    required = [fill_in(each, valid_value(each)) for each in specs if each.get("required")]
    for spec in specs:
        yield from forged_options(spec, [each for each in required if each["name"] != spec["name"]])
    yield [*required, {"name": "odd", "type": OptionType.STRING.value, "value": "1"}]


def fill_in(spec: Json, value: Any) -> Json:
    return {"name": spec["name"], "type": spec["type"], "value": value}


def typed(path: CommandPath, options: list[Json], kind: ActKind = ActKind.COMMAND) -> Act:
    """Return a command that a moderator types."""
    data = {**build_command_data(path, options), "resolved": RESOLVED}
    return Act(next(_IDS), kind, MODERATOR, SERVER_PLACES[0], data, None, is_moderator=True)


def leaves_of(crowd: FuzzHarness) -> list[tuple[CommandPath, Json]]:
    """Return the commands that can be typed."""
    tree = crowd.client.tree
    return [leaf for command in tree.get_commands() for leaf in walk_commands(command.to_dict(tree))]


async def answer_to(crowd: FuzzHarness, act: Act) -> SentAnswer:
    """Return the only answer to an act."""
    await crowd.transport(act)
    sent, _ = crowd.transport.take_sent()
    (answer,) = [each for each in sent if each.act == act.id]
    return answer


def dump(file: Path) -> set[str]:
    """Return the rows that are stored, except of what a bot does on its own."""
    with closing(sqlite3.connect(file)) as connection:
        rows = {line for line in connection.iterdump() if line.startswith("INSERT")}
    return {each for each in rows if not any(f'INTO "{table}"' in each for table in OWN_TABLES)}


async def test_values_that_no_option_declares_get_a_sentence_and_are_not_stored(tmp_path: Path) -> None:
    file, tried = tmp_path / "parlour.sqlite3", 0
    async with run_harness(file, 1) as crowd:
        before, leaves = dump(file), leaves_of(crowd)
        for path, leaf in leaves:
            for options in forged_commands(leaf):
                answer = await answer_to(crowd, act := typed(path, options))
                text = str(answer.data.get("content"))
                assert answer.is_ephemeral, act
                assert any(each in text for each in EXPECTED_WORDS), f"{act.data} → {text}"
                tried += 1
        assert dump(file) - before == set()
    assert tried > 10 * len(crowd.client.tree.get_commands())


async def test_what_is_typed_so_far_may_be_anything(tmp_path: Path) -> None:
    async with run_harness(tmp_path / "parlour.sqlite3", 1) as crowd:
        fields = [(path, each) for path, leaf in leaves_of(crowd) for each in leaf.get("options") or ()]
        for path, spec in ((path, each) for path, each in fields if each.get("autocomplete")):
            for kind, value in ((3, 7), (3, ["x"]), (4, "x"), (6, "no id"), (3, ""), (3, "x" * 10_000)):
                option = {"name": spec["name"], "type": kind, "value": value, "focused": True}
                assert "choices" in (await answer_to(crowd, typed(path, [option], ActKind.SUGGEST))).data


async def test_texts_that_nothing_suggests_get_words(tmp_path: Path) -> None:
    async with run_harness(tmp_path / "parlour.sqlite3", 1) as crowd:
        for path, leaf in leaves_of(crowd):
            specs = leaf.get("options") or []
            for text in ODD_TEXTS if any(map(takes_text, specs)) else ():
                options = [
                    fill_in(each, text if takes_text(each) else valid_value(each))
                    for each in specs
                    if each.get("required") or takes_text(each)
                ]
                answer = await answer_to(crowd, act := typed(path, options))
                assert answer.is_ephemeral, act
                assert "Something went wrong" not in str(answer.data), act


def takes_text(spec: Json) -> bool:
    """Tell whether any text may be typed for an option."""
    return spec["type"] == OptionType.STRING and not spec.get("choices")
