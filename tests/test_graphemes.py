"""Texts are cut between letters as people see them."""

from unicodedata import normalize

from bot.graphemes import MOST_MARKS, limit_marks, split_letters, whole_letters
from bot.words import truncate
from tests.support.each_case import each_case

FAMILY = "👨\u200d👩\u200d👧"
SCOTLAND = "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"
LETTERS = (
    ("a", "b", "c"),
    ("e\u0301", "a\u0308\u0323", "z"),
    (FAMILY, "x", FAMILY),
    ("👍🏽", "❤\ufe0f", "👩🏽\u200d⚕\ufe0f"),
    ("🇫🇮", "🇩🇰", "🇸🇪", "🇳"),
    (SCOTLAND, "3\ufe0f\u20e3", "#"),
    ("क्ष", "त्रि", "य", "नी", "ला"),
    ("ที่", "นี่", "น้ำ", "ก"),
    ("ש\u05b8", "ל", "ו\u05b9", "ם"),
    ("مُ", "حَ", "مَّ", "د"),
    ("한", "\u1112\u1161\u11ab", "글"),
    ("a", "\r\n", "\n", "b"),
)


@each_case("letters", LETTERS)
def test_a_letter_keeps_its_marks_and_what_it_joins(letters: tuple[str, ...]) -> None:
    assert split_letters("".join(letters)) == list(letters)


@each_case("letters", LETTERS)
def test_as_many_whole_letters_are_kept_as_fit(letters: tuple[str, ...]) -> None:
    text = "".join(letters)
    beginnings = ["".join(letters[:count]) for count in range(len(letters) + 1)]
    for length in range(len(letters[0]), len(text) + 2):
        assert whole_letters(text, length) == max((each for each in beginnings if len(each) <= length), key=len)


def test_of_a_letter_that_is_too_long_the_beginning_is_kept() -> None:
    assert whole_letters("e" + "\u0301" * 50, 32) == "e" + "\u0301" * 31


@each_case("name", ["Trần Hưng Đạo", "ที่นี่น้ำ", "क्षत्रिय", "בְּרֵאשִׁ֖ית", "مُحَمَّد", "3\ufe0f\u20e3", FAMILY, SCOTLAND])
def test_the_marks_of_languages_are_kept(name: str) -> None:
    for form in ("NFC", "NFD"):
        assert limit_marks(normalize(form, name)) == normalize(form, name)


def test_a_letter_keeps_a_few_marks() -> None:
    towers = "Z" + "\u0300\u0489" * 40 + "oe" + "\u0301" * 9
    assert limit_marks("e" + ("\u0301" * 4 + "\u200d") * 6) == "e" + "\u0301" * MOST_MARKS + "\u200d" * 6
    assert limit_marks(towers) == "Z\u0300\u0489\u0300\u0489oe" + "\u0301" * MOST_MARKS


class TestTruncating:
    def test_a_text_that_fits_stays(self) -> None:
        assert truncate(FAMILY, len(FAMILY)) == FAMILY

    def test_a_long_text_ends_with_a_whole_letter_and_an_ellipsis(self) -> None:
        assert truncate("abcdef", 4) == "abc…"
        for length in range(len(FAMILY) + 2, 2 * len(FAMILY) + 1):
            assert truncate(f"a{FAMILY}{FAMILY}", length) == f"a{FAMILY}…"

    def test_no_space_is_left_before_the_ellipsis(self) -> None:
        assert [truncate("Ann Lee", length) for length in range(4, 7)] == ["Ann…", "Ann…", "Ann L…"]
        assert truncate("Ann\u00a0\n Lee", 7) == "Ann…"
        assert truncate("\u2068Ann Lee\u2069 wins", 7) == "\u2068Ann…\u2069"

    def test_nor_is_the_space_before_an_escape_or_a_name_of_which_nothing_is_left(self) -> None:
        assert [truncate(r"Ann \_Lee", length) for length in range(5, 8)] == ["Ann…", "Ann…", r"Ann \_…"]
        text = "Ann \u2068Lee\u2069 wins"
        assert [truncate(text, length) for length in range(5, 9)] == [*["Ann…"] * 3, "Ann \u2068L…\u2069"]

    def test_a_name_that_is_cut_keeps_its_direction_to_itself(self) -> None:
        text = "\u2068אבגדהו\u2069 wins"
        for length in range(3, len(text)):
            cut = truncate(text, length)
            assert len(cut) <= length
            assert cut.count("\u2068") <= cut.count("\u2069")
        assert truncate(text, 6) == "\u2068אבג…\u2069"

    def test_no_backslash_is_left_of_an_escape(self) -> None:
        assert [truncate(r"a\_b\\c", length) for length in range(2, 7)] == ["a…", "a…", r"a\_…", r"a\_b…", r"a\_b…"]
        assert truncate(r"a\_b\\cd", 7) == r"a\_b\\…"
