"""A message in Hebrew reads from right to left, line by line and button by button; names turn nothing."""

from bidi import get_display  # type: ignore[import-untyped]  # it has no types

from bot.platform.discord.content import Button, MessageContent
from bot.platform.discord.direction import turn_embed, turn_text
from bot.rules.picture import isolate_name
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
    ],
)
def test_each_line_begins_on_the_right_if_the_text_does(text: str, turned: str) -> None:
    assert turn_text(text) == turned


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
