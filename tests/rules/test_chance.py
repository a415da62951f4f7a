"""Chance: scripted for tests, fair for tables, fast for simulation, and what is built on it."""

import hmac
import math
from collections import Counter
from collections.abc import Iterator
from itertools import islice, permutations, product

import pytest

from bot.rules.chance import (
    FairChance,
    FastChance,
    RecordingChance,
    ScriptedChance,
    ScriptError,
    draw,
    roll,
    shuffle,
)
from tests.support.each_case import each_case

SEED = bytes(range(32))
WORDS = 1 << 64


def documented_words(seed: bytes, salt: str, step: int) -> Iterator[int]:
    """The words of a step: HMAC-SHA256 of salt, step and a counter, the first eight bytes, big end first."""
    for counter in range(1_000_000):
        yield int(hmac.digest(seed, f"{salt}|{step}|{counter}".encode(), "sha256").hex()[:16], 16)


def first_below(words: Iterator[int], n: int) -> int:
    """The first word that is below the largest multiple of n, modulo n."""
    return next(word for word in words if word < WORDS // n * n) % n


class TestScripted:
    def test_numbers_come_in_order(self) -> None:
        with ScriptedChance([0, 3, 1]) as chance:
            assert [chance.randbelow(n) for n in (1, 4, 6)] == [0, 3, 1]

    def test_dice_are_written_as_faces(self) -> None:
        with ScriptedChance.from_faces("16 352 4") as chance:
            assert roll(chance, 6) == (1, 6, 3, 5, 2, 4)

    def test_too_few_numbers_are_a_fault(self) -> None:
        chance = ScriptedChance([2])
        chance.randbelow(6)
        with pytest.raises(ScriptError, match="below 6"):
            chance.randbelow(6)

    @each_case("number", [-1, 6, 7])
    def test_an_unfit_number_is_a_fault(self, number: int) -> None:
        with pytest.raises(ScriptError, match=f"says {number}"):
            ScriptedChance([number]).randbelow(6)

    @each_case("face", ["0", "7"])
    def test_an_unfit_face_is_a_fault(self, face: str) -> None:
        with pytest.raises(ScriptError):
            roll(ScriptedChance.from_faces(face), 1)

    def test_unused_numbers_are_a_fault(self) -> None:
        chance = ScriptedChance([1, 2, 3])
        chance.randbelow(6)
        with pytest.raises(ScriptError, match="2 numbers"):
            chance.assert_exhausted()

    def test_unused_numbers_are_a_fault_at_the_end_of_a_block(self) -> None:
        with pytest.raises(ScriptError), ScriptedChance([1]):
            pass

    def test_unused_numbers_do_not_hide_the_fault_that_ended_a_block(self) -> None:
        with pytest.raises(ZeroDivisionError), ScriptedChance([1]):
            raise ZeroDivisionError


class TestFairChance:
    def test_the_published_example_is_reproduced(self) -> None:
        """The word is that of `printf 'salt|1|0' | openssl dgst -sha256 -mac HMAC -macopt hexkey:00...1f`."""
        word = 0x1A43DEF842786EEB
        assert next(documented_words(SEED, "salt", 1)) == word
        assert FairChance(SEED, "salt", 1).randbelow(6) == word % 6

    @each_case("n", [1, 2, 3, 6, 52, 1000, WORDS // 2, WORDS - 1, WORDS])
    def test_a_second_implementation_agrees(self, n: int) -> None:
        for step in (0, 1, 12_345):
            chance, words = FairChance(SEED, "salt", step), documented_words(SEED, "salt", step)
            assert [chance.randbelow(n) for _ in range(30)] == [first_below(words, n) for _ in range(30)]

    def test_words_that_would_favour_small_numbers_are_skipped(self) -> None:
        n = WORDS // 2 + 1
        chance, words = FairChance(SEED, "salt", 4), list(islice(documented_words(SEED, "salt", 4), 60))
        fit = [word for word in words if word < n]
        assert 10 < len(fit) < 50, "about half of the words are to be skipped"
        assert [chance.randbelow(n) for _ in fit] == fit

    @pytest.mark.parametrize(
        ("n", "words", "number"),
        [
            (6, [WORDS - 5], 5),  # the last word of the last whole six
            (6, [WORDS - 4, 8], 2),  # the first of the four words left over
            (6, [WORDS - 1, WORDS - 2, WORDS - 3, WORDS - 4, 0], 0),
            (8, [WORDS - 1], 7),  # eight divides the words: none is skipped
            (1, [WORDS - 1], 0),
        ],
    )
    def test_exactly_the_words_beyond_the_last_whole_n_are_skipped(
        self, monkeypatch: pytest.MonkeyPatch, n: int, words: list[int], number: int
    ) -> None:
        chance, left = FairChance(SEED, "salt", 1), iter(words)
        monkeypatch.setattr(chance, "next_word", lambda: next(left))
        assert chance.randbelow(n) == number
        assert list(left) == []

    @each_case("other", [(b"\1" * 32, "salt", 1), (SEED, "salts", 1), (SEED, "salt", 2)])
    def test_seed_salt_and_step_each_change_the_numbers(self, other: tuple[bytes, str, int]) -> None:
        chance, changed = FairChance(SEED, "salt", 1), FairChance(*other)
        assert [chance.randbelow(WORDS) for _ in range(4)] != [changed.randbelow(WORDS) for _ in range(4)]


class TestFastChance:
    @each_case("n", [1, 2, 3, 5, 6, 7, 36, 52, 60, 1000, 2**20 + 1, 2**32 - 1])
    def test_numbers_stay_below_n_at_both_ends_of_the_fraction(self, n: int) -> None:
        assert FastChance(FixedRandom(0.0)).randbelow(n) == 0
        assert FastChance(FixedRandom(math.nextafter(1.0, 0.0))).randbelow(n) == n - 1

    def test_the_fraction_is_cut_into_equal_parts(self) -> None:
        assert [FastChance(FixedRandom(eighths / 8)).randbelow(4) for eighths in range(8)] == [0, 0, 1, 1, 2, 2, 3, 3]


class FixedRandom:
    """A source of randomness that says one thing."""

    def __init__(self, fraction: float) -> None:
        self.fraction = fraction

    def random(self) -> float:
        return self.fraction


def test_roll_takes_dice_of_any_size_and_none_at_all() -> None:
    with ScriptedChance([9, 0]) as chance:
        assert roll(chance, 2, sides=10) == (10, 1)
        assert roll(chance, 0) == ()


def all_shuffles(items: str, *bounds: int) -> Counter[tuple[str, ...]]:
    """Shuffle with every script there is."""
    orders: Counter[tuple[str, ...]] = Counter()
    for script in product(*map(range, bounds)):
        with ScriptedChance(script) as chance:
            orders[shuffle(chance, items)] += 1
    return orders


def test_shuffle_reaches_every_order_of_four_equally_often() -> None:
    assert all_shuffles("abcd", 4, 3, 2) == Counter(permutations("abcd"))


def test_shuffle_swaps_from_the_last_place_down() -> None:
    with ScriptedChance([0, 2, 0]) as chance:
        assert shuffle(chance, "abcd") == ("b", "d", "c", "a")


@each_case("items", ["", "a"])
def test_shuffle_needs_no_chance_for_less_than_two(items: str) -> None:
    with ScriptedChance([]) as chance:
        assert shuffle(chance, items) == tuple(items)


def test_shuffle_keeps_every_card_and_leaves_its_source_alone() -> None:
    deck = [card // 2 for card in range(60)]
    shuffled = shuffle(FairChance(SEED, "deck", 0), deck)
    assert deck == [card // 2 for card in range(60)]
    assert Counter(shuffled) == Counter(deck)
    assert list(shuffled) != deck


@each_case("at, item, left", [(0, "a", ("b", "c")), (1, "b", ("a", "c")), (2, "c", ("a", "b"))])
def test_draw_takes_one_and_keeps_the_order_of_the_rest(at: int, item: str, left: tuple[str, ...]) -> None:
    with ScriptedChance([at]) as chance:
        assert draw(chance, "abc") == (item, left)


def test_recording_chance_passes_numbers_on_and_records_them() -> None:
    with ScriptedChance([3, 0, 51]) as source:
        chance = RecordingChance(source)
        assert [chance.randbelow(6), chance.randbelow(1), chance.randbelow(52)] == [3, 0, 51]
    assert chance.draws == [(6, 3), (1, 0), (52, 51)]
