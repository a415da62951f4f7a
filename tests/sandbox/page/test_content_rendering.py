"""Text and embeds as the page shows them."""

import pytest

from bot.sandbox import Sandbox
from tests.sandbox.page.page_helpers import Visit, expect_text, find_message
from tests.support.raw_bot import RawBot, button, row

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="session")]

MARKUP = (
    ("plain & <b>simple</b>", "<p>plain &amp; &lt;b&gt;simple&lt;/b&gt;</p>"),
    ("**b** *i* _i_ __u__ ~~s~~", "<p><strong>b</strong> <em>i</em> <em>i</em> <u>u</u> <s>s</s></p>"),
    ("***both*** **a *b***", "<p><strong><em>both</em></strong> <strong>a <em>b</em></strong></p>"),
    ("snake_case_name 2 * 3 * 4", "<p>snake_case_name 2 * 3 * 4</p>"),
    (r"\*not\* \_this\_ \\", r"<p>*not* _this_ \</p>"),
    ("`**a**` ``b ` c``", "<p><code>**a**</code> <code>b ` c</code></p>"),
    ("**open `** `", "<p><strong>open `</strong> `</p>"),
    ("# One\n## Two\n### Three\n#### four", "<h1>One</h1><h2>Two</h2><h3>Three</h3><p>#### four</p>"),
    ("#no\n-# small", "<p>#no</p><small>small</small>"),
    ("> a\n> **b**\nc", "<blockquote><p>a\n<strong>b</strong></p></blockquote><p>c</p>"),
    (">>> a\nb", "<blockquote><p>a\nb</p></blockquote>"),
    ("- a\n  - b\n- c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"),
    ("3. a\n4. b\n- c", '<ol start="3"><li>a</li><li>b</li></ol><ul><li>c</li></ul>'),
    ("x\n```py\n**y**\n```z", "<p>x</p><pre><code>**y**</code></pre><p>z</p>"),
    ("```never closed", "<p>```never closed</p>"),
    ("[w](https://e.org/a_(b)_c)", '<p><a href="https://e.org/a_(b)_c">w</a></p>'),
    ("see https://e.org/x_y_z.", '<p>see <a href="https://e.org/x_y_z">https://e.org/x_y_z</a>.</p>'),
    ("<https://e.org/>", '<p><a href="https://e.org/">https://e.org/</a></p>'),
    ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
    (
        "[**https://e.org/**](https://f.org/)",
        '<p><a href="https://f.org/"><strong>https://e.org/</strong></a></p>',
    ),
    ("<@7> <@!7> <@8> <#9>", "<p><i>@Ann</i> <i>@Ann</i> <i>@unknown-user</i> <button>#den</button></p>"),
    ("||**s**||", "<p><i><strong>s</strong></i></p>"),
    ("<t:0:d> <t:99999999999999:d>", "<p><time>1/1/70</time> &lt;t:99999999999999:d&gt;</p>"),
    ("**" * 900, f"<p>{'**' * 900}</p>"),
)
"""Markdown, and its HTML without classes and other details."""

RENDER = """
async (cases) => {
  const { markdown } = await import("/static/markdown.js");
  const pageState = {
    personName: (id) => (id === "7" ? "Ann" : null),
    channelName: (id) => (id === "9" ? "den" : null),
    withoutLinks() { return { ...this, linkless: true }; },
  };
  const NAMES = { "heading-1": "h1", "heading-2": "h2", "heading-3": "h3", small: "small", paragraph: "p" };
  const plain = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return document.importNode(node);
    const style = [...node.classList].map((name) => NAMES[name]).find(Boolean);
    const bare = document.createElement(node.localName === "span" ? "i" : style ?? node.localName);
    for (const name of ["href", "start"]) {
      if (node.hasAttribute(name)) bare.setAttribute(name, node.getAttribute(name));
    }
    bare.append(...[...node.childNodes].map(plain));
    return bare;
  };
  return cases.map((text) => {
    const box = document.createElement("div");
    box.append(...markdown(text, pageState).map(plain));
    return box.innerHTML.replace(/<div>(<[uo]l.*?)<\\/div>/g, "$1");
  });
}
"""


async def test_markdown_is_rendered_as_on_discord(visit: Visit) -> None:
    page = await visit()
    rendered = await page.evaluate(RENDER, [text for text, _ in MARKUP])
    got = dict(zip((text for text, _ in MARKUP), rendered, strict=True))
    assert got == dict(MARKUP)


async def test_markup_is_shown_as_text_everywhere(visit: Visit, bot: RawBot, sandbox: Sandbox) -> None:
    evil = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>'
    page = await visit()
    sandbox.person("Wren").say(sandbox.channel("table-one"), evil)
    embed = {
        "title": evil,
        "description": f"# {evil}\n[link](javascript:window.hurt=1)",
        "author": {"name": evil},
        "footer": {"text": evil},
        "fields": [{"name": evil, "value": f"```{evil}```"}],
    }
    select = {"type": 3, "custom_id": "s", "placeholder": evil, "options": [{"label": evil, "value": evil}]}
    controls = [row(button("b", evil[:80])), row(select)]
    posted = await bot.post("table-one", f"**{evil}**", embeds=[embed], components=controls)
    await bot.register({"name": "evil", "description": evil})
    await find_message(page, posted).locator("[data-select]").click()
    await expect_text(page.locator("[role=option]"), evil)
    await page.keyboard.press("Escape")
    await page.fill("#composer", "/e")
    await expect_text(page.locator("[data-command=evil]"), evil)

    assert await find_message(page, posted).get_by_text(evil).count() >= 6
    assert await page.evaluate("window.hurt") is None
    assert await page.locator("img, script:not([src]), a[href^=javascript]").count() == 0


async def test_dice_and_emoji_are_drawn_large(visit: Visit, bot: RawBot) -> None:
    page = await visit()
    posted = await bot.post("table-one", embeds=[{"description": "# ⚃ 🎲"}], components=[row(button("b", "⚅"))])
    heading = find_message(page, posted).get_by_role("heading")
    for glyph in (
        heading.locator(".die[data-pips='4']"),
        find_message(page, posted).locator("button .die[data-pips='6']"),
    ):
        box = await glyph.bounding_box()
        assert box is not None
        assert box["width"] == box["height"] >= 20
    assert await heading.inner_text() == "⚃ 🎲"


async def test_a_text_is_cut_after_a_whole_letter(visit: Visit) -> None:
    page = await visit()
    cut = """async ([text, count]) => (await import("/static/dom.js")).beginning(text, count)"""
    family = "👨\u200d👩\u200d👧"
    assert [await page.evaluate(cut, [f"e\u0301{family}🇫🇮!", count]) for count in range(6)] == [
        "",
        "e\u0301",
        f"e\u0301{family}",
        f"e\u0301{family}🇫🇮",
        f"e\u0301{family}🇫🇮!",
        f"e\u0301{family}🇫🇮!",
    ]
