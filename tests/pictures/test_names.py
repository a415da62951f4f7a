"""Names in pictures: any script the font has, shortened to their room, and never beyond it."""

from collections.abc import Sequence

import pytest
from PIL import ImageChops

from bot.pictures.fonts import TextMask, has_glyph, text_mask_of
from bot.rules.components import Nameplate, name_labels
from bot.rules.picture import MIN_TEXT_SIZE, Align, ColourRole, Label, Rect, isolate_name
from tests.support.each_case import each_case

ROOM = Rect(0, 0, 190, 52)


def draw(name: str, room: Rect = ROOM, align: Align = Align.LEFT) -> TextMask:
    return text_mask_of(Label(name, room, ColourRole.TEXT, 30, align, is_name=True))


def is_blank(drawn: TextMask) -> bool:
    return drawn.mask.getbbox() is None


def looks_like(one: TextMask, other: TextMask) -> bool:
    same_place = (one.left, one.top, one.mask.size) == (other.left, other.top, other.mask.size)
    return same_place and ImageChops.difference(one.mask, other.mask).getbbox() is None


@each_case("name", ["Žofie", "Đặng", "Дмитро", "Ελένη", "שירה", "مريم", "नीला", "ნინო", "O'Neil-2"])
def test_a_name_in_a_script_of_the_font_is_drawn(name: str) -> None:
    assert not is_blank(draw(name))
    assert not looks_like(draw(name), draw(name[::-1]))


@each_case("name", ["Jay", "Robin", "Linnet"])
def test_a_medal_gets_smaller_before_the_name_is_cut(name: str) -> None:
    label, medal = name_labels((Nameplate(name, has_medal=True),), 0, Rect(0, 0, 150, 65), size=MIN_TEXT_SIZE + 3)
    assert isinstance(label, Label)
    assert looks_like(text_mask_of(label), text_mask_of(label._replace(at=label.at._replace(width=150))))
    assert label.at.right <= medal.at.x


@each_case("name", ["美咲", "민준", "Ann美", "🎲🎲", "🎲🎲🎲🎲🎲…", "\u2068🎲🎲…\u2069", "…", "\u200b", "\ue000"])
def test_a_name_that_the_font_can_not_write_is_left_to_the_token(name: str) -> None:
    assert is_blank(draw(name))


@each_case("typed, drawn", [("𝓡𝓸𝓫𝓲𝓷", "Robin"), ("ｗｒｅｎ", "wren")])
def test_fancy_letters_are_drawn_as_plain_ones(typed: str, drawn: str) -> None:
    assert looks_like(draw(typed), draw(drawn))


@each_case(
    "typed, drawn", [("Robin 🎲", "Robin"), ("\u202eRobin", "Robin"), ("Zoe\u0308", "Zoë"), ("★ Robin", "Robin")]
)
def test_symbols_and_controls_are_left_out_and_accents_joined(typed: str, drawn: str) -> None:
    assert looks_like(draw(typed), draw(drawn))


def test_the_narrow_space_of_french_numbers_stays_beside_a_name() -> None:
    def beside(number: str) -> int:
        return draw(f"{isolate_name('Robin')} {number}").mask.width

    assert beside("1500") < beside("1\u202f500") < beside("1 500")


def test_letters_join_and_run_in_the_direction_of_their_script() -> None:
    assert draw("بب").mask.width < 2 * draw("ب").mask.width - 4
    word, shin, lamed = draw("של"), draw("ש").mask, draw("ל").mask
    assert word.mask.crop((0, 0, lamed.width, word.mask.height)).getbbox() == lamed.getbbox(), "the tall letter is last"
    assert shin.height < lamed.height


@each_case("align", Align)
@each_case("name", ["Maximiliane von und zu Hohenfels", "ש" * 32, "W" * 32, "Z" + "\u0489\u0300" * 14 + "algo"])
def test_a_name_stays_in_its_room(name: str, align: Align) -> None:
    drawn = draw(name, ROOM, align)
    assert 0 <= drawn.left <= drawn.left + drawn.mask.width <= ROOM.width
    assert 0 <= drawn.top <= drawn.top + drawn.mask.height <= ROOM.height


def test_a_name_that_does_not_fit_ends_with_an_ellipsis() -> None:
    full = draw("Maximiliane", Rect(0, 0, 400, 52))
    assert full.mask.width > 120
    assert looks_like(draw("Maximiliane", Rect(0, 0, 120, 52)), draw("Maximil…", Rect(0, 0, 120, 52)))


def test_a_name_becomes_smaller_before_it_is_cut() -> None:
    def draw_sized(size: int, width: int) -> TextMask:
        return text_mask_of(Label("Maxi Reinhold", Rect(0, 0, width, 52), ColourRole.TEXT, size, is_name=True))

    def is_cut(drawn: TextMask) -> bool:
        # Its last letter is tall, and an ellipsis is not.
        width, height = drawn.mask.size
        return drawn.mask.crop((width - 3, 0, width, height // 2)).getbbox() is None

    widths = range(400, 150, -1)
    drawn = [draw_sized(42, width) for width in widths]
    cut = [is_cut(each) for each in drawn].index(True)
    smallest = draw_sized(MIN_TEXT_SIZE, 400).mask.height
    assert drawn[0].mask.height > smallest == drawn[cut - 1].mask.height
    for width, each in zip(widths[cut:], drawn[cut:], strict=True):
        assert is_cut(each)
        assert looks_like(each, draw_sized(MIN_TEXT_SIZE, width)), "it is cut at the smallest size"


@each_case(
    "letters",
    [("क्ष", "त्रि", "य", "क्ष", "त्रि", "य"), ("ที่", "นี่", "ที่", "นี่", "ที่"), ("Z\u0301\u0302", "e", "q\u0301", "x", "W")],
)
def test_a_name_is_cut_between_letters_not_between_a_letter_and_its_marks(letters: Sequence[str]) -> None:
    name, wide = "".join(letters), Rect(0, 0, 400, 52)
    whole = draw(name, wide).mask.width
    beginnings = [draw(f"{''.join(letters[:count])}…", wide) for count in range(len(letters))]
    for width in range(whole // 3, whole - 2, 4):
        shortened = draw(name, Rect(0, 0, width, 52))
        assert any(looks_like(shortened, each) for each in beginnings)


@pytest.mark.parametrize("width", [1, 3, 10])
def test_a_room_that_is_too_narrow_for_a_letter_stays_empty(width: int) -> None:
    assert is_blank(draw("Robin", Rect(0, 0, width, 52)))


def test_a_sentence_runs_from_left_to_right_whatever_its_names() -> None:
    room = Rect(0, 0, 900, 52)
    drawn = draw(f"{isolate_name('שירה')} wins with 50 points.", room).mask
    stop, name = draw(".", room).mask, draw("שירה", room).mask
    ends = [drawn.crop((x, 0, x + stop.width, drawn.height)).getbbox() for x in (0, drawn.width - stop.width)]
    heights = [end[3] - end[1] for end in ends if end]
    assert heights[0] > heights[1] == stop.height, "the full stop is last"
    beginning = drawn.crop((0, 0, name.width - 1, drawn.height)).getbbox()
    assert beginning is not None
    assert beginning[3] - beginning[1] == name.height, "the name is first"
    assert looks_like(draw("שירה 12", room), draw(isolate_name("שירה 12"), room)), "a name alone is as before"


def test_a_sentence_shortens_its_names_first_and_keeps_its_end() -> None:
    short, long = (
        f"Best turn: {isolate_name(name)}, +1,200" for name in ("Maximil…", "Maximiliane von und zu Hohenfels")
    )
    room = Rect(0, 0, draw(short, Rect(0, 0, 900, 52)).mask.width + 6, 52)
    assert looks_like(draw(long, room), draw(short, room))


def test_a_shortened_name_keeps_its_ellipsis_without_its_symbols() -> None:
    assert looks_like(draw("Robin 🎲🎲…"), draw("Robin…"))


def test_a_sentence_keeps_its_words_if_the_font_lacks_a_name() -> None:
    room = Rect(0, 0, 900, 52)
    assert (
        draw(f"{isolate_name('美咲')} wins with 50 points.", room).mask.width
        >= draw("wins with 50 points.", room).mask.width
    )


@each_case("accent", ["\u0489", "\u20dd", "\ufe0f", "\u0333"])
def test_accents_that_the_font_lacks_are_left_out(accent: str) -> None:
    assert looks_like(draw(f"Z{accent}oe"), draw("Zoe"))
    assert not has_glyph(accent)
    assert has_glyph("\u0308")
