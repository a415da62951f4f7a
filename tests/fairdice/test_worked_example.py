"""The bot and the checker written from the page both confirm the worked example of `docs/fair-dice.md`."""

import hashlib
import hmac
import json
import re
from itertools import islice
from pathlib import Path
from typing import Any

from bot.features.fairness.records import PortableRecord, read_record
from bot.features.fairness.verification import verify_record
from tests.fairdice import checker
from tests.fairdice.worked_example import make_example_record
from tests.support.fakes import GAMES

PAGE = (Path(__file__).parents[2] / "docs" / "fair-dice.md").read_text()


def fenced_blocks(kind: str) -> list[str]:
    """The fenced blocks of a kind, in the page's order."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def parse_values(block: str) -> dict[str, str]:
    """A block whose lines are a name and a value."""
    return dict(re.split(r"\s+", line, maxsplit=1) for line in block.splitlines())


(RECORD_TEXT,) = fenced_blocks("json")
FIRST, MOVES, SKIPPING = fenced_blocks("text")
RECORD: dict[str, Any] = json.loads(RECORD_TEXT)


async def test_the_record_is_what_the_bot_writes_of_that_table() -> None:
    written = json.loads(str(await make_example_record()))
    written["options"] = {name: written["options"][name] for name in RECORD["options"]}
    assert written == RECORD, "but for options that came later"
    assert str(read_record(RECORD_TEXT.encode())) == RECORD_TEXT


def test_both_checkers_accept_the_record() -> None:
    assert checker.find_flaws(RECORD) == []
    verdict = verify_record(read_record(RECORD_TEXT.encode()), GAMES)
    assert (verdict.moves, verdict.numbers, verdict.control_entries) == (2, 15 + 3 + 1, 0)


def test_the_first_number_is_worked_out_as_the_page_says() -> None:
    values = parse_values(FIRST)
    seed = bytes.fromhex(values["seed"])
    contributions = [seat["contribution"] for seat in RECORD["seats"]]
    mac = hmac.new(seed, values["message"].encode(), hashlib.sha256).hexdigest()
    assert values == {
        "seed": RECORD["seed"],
        "commitment": hashlib.sha256(seed).hexdigest(),
        "hashed": " ".join(f"{contribution} LF" for contribution in contributions),
        "salt": hashlib.sha256("".join(f"{each}\n" for each in contributions).encode()).hexdigest(),
        "message": f"{RECORD['salt']}|0|0",
        "hmac": mac,
        "word": str(int(mac[:16], 16)),
        "number": str(RECORD["setup"][0][1]),
        "die": str(RECORD["setup"][0][1] + 1),
    }
    assert (values["commitment"], values["salt"]) == (RECORD["commitment"], RECORD["salt"])
    assert int(values["word"]) % 6 == int(values["number"])


def test_the_set_up_in_words_is_that_of_the_record() -> None:
    dice = [number + 1 for _, number in RECORD["setup"]]
    robin, computer, table = (" ".join(map(str, dice[at : at + 5])) for at in (0, 5, 10))
    assert (
        f"the dice {robin} (Robin, {sum(dice[:5])} in all), {computer} (the computer player, {sum(dice[5:10])}" in PAGE
    )
    assert f"and {table} on the table" in PAGE


def test_words_numbers_and_positions_of_the_moves_are_those_of_the_record() -> None:
    faces = checker.replay_magpie_faces(RECORD)
    for line, move, shown in zip(MOVES.splitlines()[1:], RECORD["moves"], faces[1:], strict=True):
        step, words, numbers, position = re.split(r"\s{2,}", line)
        count = len(move["numbers"])
        assert int(step) == move["step"]
        assert words.split() == [
            str(word) for word in islice(checker.words(RECORD["seed"], RECORD["salt"], int(step)), count)
        ]
        assert numbers.split() == [str(number) for _, number in move["numbers"]]
        assert position.split()[0] == shown
        assert hashlib.sha256(position.encode()).hexdigest()[:16] == move["digest"]


def test_the_skipped_word_is_skipped() -> None:
    values = {name: int(value) for name, value in parse_values(SKIPPING).items()}
    (step,) = re.findall(r"At step (\d+) the first\nword is not below", PAGE)
    first, second = islice(checker.words(RECORD["seed"], RECORD["salt"], int(step)), 2)
    bound = 2**63 + 1
    assert values == {"limit": bound, "skipped": first, "word": second, "number": second}
    assert first >= values["limit"] > second
    assert checker.draw_numbers(RECORD, int(step), [bound]) == [[bound, second]]


def test_the_members_are_those_the_page_lists() -> None:
    listed = re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)
    assert listed == list(PortableRecord.model_fields)
