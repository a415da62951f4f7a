"""A message in Hebrew reads from right to left, line by line and button by button; names turn nothing."""

from collections.abc import Callable

from bidi import get_display  # type: ignore[import-untyped]  # it has no types

from bot.platform.discord.content import Button, MessageContent, make_view
from bot.platform.discord.direction import turn_embed, turn_text
from bot.platform.discord.http import build_text_json
from bot.platform.discord.menus import RoleMenu, SelectMenu, SelectOption, make_choices
from bot.rules.picture import isolate_name
from bot.sandbox.model.messages import embed_texts
from tests.support.each_case import each_case

RLM, LRM = "\N{RIGHT-TO-LEFT MARK}", "\N{LEFT-TO-RIGHT MARK}"
ROBIN, DAN = isolate_name("Robin"), isolate_name("דן")


@each_case(
    "text, turned",
    [
        ("התור שלך", "התור שלך"),
        ("🎲 **הטלה**", "🎲 **הטלה**"),
        (f"**{ROBIN}**: הטלה", f"**{ROBIN}**: הטלה"),
        ("<@7>, התור שלך", f"{RLM}<@7>, התור שלך"),
        ("`/play` פותח שולחן", f"{RLM}`/play` פותח שולחן"),
        (f"# התור\n{DAN} 12\n-# Magpie\n\n- +3", f"# התור\n{RLM}{DAN} 12\n-# {RLM}Magpie\n\n- {RLM}{LRM}+3"),
        ("שמש\n```\nSun  0\n```\n35%", f"שמש\n```\nSun  0\n```\n{RLM}35%"),
        (f"{RLM}<@7>, התור שלך", f"{RLM}<@7>, התור שלך"),
        ("🟦 (+3) הרגלים", f"{RLM}🟦 ({LRM}+3) הרגלים"),
        (f"{LRM}⚂⚁{LRM} הטלה", f"{RLM}{LRM}⚂⚁{LRM} הטלה"),
        (f"**{DAN}** rolls +3", f"**{DAN}** rolls +3"),
        ("- תור\n  - +3\n> 1. 35%", f"- תור\n  - {RLM}{LRM}+3\n> 1. {RLM}35%"),
    ],
)
def test_each_line_begins_on_the_right_if_the_text_does(text: str, turned: str) -> None:
    assert turn_text(text) == turned


def full(limit: int) -> str:
    """Return a text as long as Discord takes it, with lines of three letters that begin with a sign."""
    return f"שמש{chr(10)}+3" + f"{chr(10)}+3" * ((limit - 6) // 3) + "!" * ((limit - 6) % 3)


@each_case(
    "limit, turn",
    [
        (2000, turn_text),
        (2000, lambda text: build_text_json(text)["content"]),
        (80, lambda text: Button(text, "id").to_dict()["label"]),
        (80, lambda text: make_view(Button(text, "id")).to_components()[0]["components"][0]["label"]),
        (100, lambda text: SelectOption(text, "1").to_dict()["label"]),
        (100, lambda text: SelectOption("1", "1", text).to_dict()["description"]),
        (150, lambda text: SelectMenu(text, "id", ()).to_dict()["placeholder"]),
        (150, lambda text: RoleMenu(text, "id").to_dict()["placeholder"]),
        (100, lambda text: make_choices([(text, 1)])[0].name),
        (256, lambda text: turn_embed({"title": text})["title"]),
        (4096, lambda text: turn_embed({"description": text})["description"]),
        (256, lambda text: turn_embed({"title": "תור", "author": {"name": text}})["author"]["name"]),
        (2048, lambda text: turn_embed({"title": "תור", "footer": {"text": text}})["footer"]["text"]),
        (256, lambda text: turn_embed({"fields": [{"name": text, "value": "תור"}]})["fields"][0]["name"]),
        (1024, lambda text: turn_embed({"fields": [{"name": "תור", "value": text}]})["fields"][0]["value"]),
    ],
)
def test_a_full_text_leaves_off_the_last_marks(limit: int, turn: Callable[[str], str]) -> None:
    assert turn(full(limit)) == full(limit)
    turned = turn(full(limit - 3))
    assert len(turned) == limit
    assert turned.startswith(f"שמש\n{RLM}{LRM}+3")


def test_all_texts_of_an_embed_share_the_room() -> None:
    embed = {
        "title": full(100),
        "description": full(4000),
        "author": {"name": full(200)},
        "footer": {"text": full(300)},
        "fields": [{"name": full(190), "value": full(200)}, {"name": full(200), "value": full(800)}],
    }
    assert len("".join(embed_texts([embed]))) == 5990
    turned = dict(turn_embed(embed))
    assert len("".join(embed_texts([turned]))) == 6000
    assert len(turned["title"]) == 110


@each_case("number", ["+35", "−1,000", "<1%", "~2.5"])
def test_the_sign_of_a_number_stays_on_its_left(number: str) -> None:
    for text in (f"ניקוד {number}", f"ניקוד: **{number}** נקודות"):
        assert number in get_display(turn_text(text)).replace(LRM, "")
        assert number not in get_display(text)


def test_an_embed_is_turned_as_a_whole() -> None:
    embed = {
        "title": "התור של {name}",
        "description": "🥇 **12**",
        "author": {"name": "Magpie"},
        "fields": [{"name": "ניקוד", "value": "12"}],
    }
    turned = turn_embed(embed)
    assert turned["description"] == f"{RLM}🥇 **12**"
    assert turned["author"] == {"name": f"{RLM}Magpie"}
    assert turned["fields"] == [{"name": "ניקוד", "value": f"{RLM}12"}]
    english = {"title": f"{DAN}, roll the dice", "description": "12"}
    assert turn_embed(english) is english


@each_case(
    "labels, shown",
    [
        (["▶ הקודם", "הבא ◀"], ["הבא ◀", "▶ הקודם"]),
        (["◀ Back", "Next ▶"], ["◀ Back", "Next ▶"]),
        (["✓ ⚂", "⚃", "3"], ["✓ ⚂", "⚃", "3"]),
        (["הטלה של שלוש קוביות · 72% · 3 עד 33", "לעצור"], ["הטלה של שלוש קוביות · 72% · 3 עד 33", "לעצור"]),
    ],
)
def test_buttons_beside_each_other_have_the_order_of_reading(labels: list[str], shown: list[str]) -> None:
    buttons = tuple(Button(label, str(at)) for at, label in enumerate(labels))
    (row,) = MessageContent({}, (buttons,)).components()
    assert [button["label"] for button in row["components"]] == shown
