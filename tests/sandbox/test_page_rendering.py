"""The page itself, driven in a browser against the real sandbox with a bot that answers as told."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import pytest
import pytest_asyncio

from bot.sandbox import Sandbox
from tests.support.browser import chromium
from tests.support.raw_bot import CHOICES, UPDATE, Json, RawBot, button, raw_bot, row, says, whispers

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.asyncio(loop_scope="module")]

DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}

Visit: TypeAlias = "Callable[..., Awaitable[Page]]"

COMMANDS: tuple[Json, ...] = (
    {
        "name": "magpie",
        "description": "A game of dice",
        "options": [
            {
                "type": 1,
                "name": "new",
                "description": "Open a table",
                "options": [{"type": 4, "name": "target", "description": "Points", "min_value": 5, "max_value": 9}],
            },
            {
                "type": 1,
                "name": "roll",
                "description": "Roll some dice",
                "options": [
                    {
                        "type": 3,
                        "name": "dice",
                        "description": "Which",
                        "required": True,
                        "autocomplete": True,
                    },
                    {
                        "type": 4,
                        "name": "times",
                        "description": "How often",
                        "required": True,
                        "max_value": 3,
                    },
                    {"type": 5, "name": "loud", "description": "For all to hear"},
                ],
            },
        ],
    },
    {"name": "about", "description": "Who made this"},
    {"name": "help", "description": "What there is"},
)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> "AsyncIterator[Browser]":
    async with chromium() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def sandbox() -> AsyncIterator[Sandbox]:
    running = Sandbox(deadline=0.3)
    await running.start()
    yield running
    await running.stop()


@pytest_asyncio.fixture(loop_scope="module")
async def bot(sandbox: Sandbox) -> AsyncIterator[RawBot]:
    async with raw_bot(sandbox) as running:
        await running.register(*COMMANDS)
        yield running


@pytest_asyncio.fixture(loop_scope="module")
async def visit(
    browser: "Browser",
    sandbox: Sandbox,
    bot: RawBot,  # noqa: ARG001 - pages are looked at with the bot there
) -> AsyncIterator[Visit]:
    """Open the page as somebody; at the end no page may have reported an error."""
    faults: list[str] = []
    contexts = []

    async def enter(who: str = "Robin", viewport: Any = DESK) -> "Page":
        context = await browser.new_context(viewport=viewport, has_touch=viewport is PHONE)
        contexts.append(context)
        context.set_default_timeout(5000)
        page = await context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
        await page.goto(sandbox.url)
        await page.locator("[data-person]", has_text=who).click()
        await page.locator("[data-person][aria-pressed=true]", has_text=who).wait_for()
        return page

    yield enter
    for context in contexts:
        await context.close()
    # A server that is away is reported by the browser itself.
    assert [fault for fault in faults if "WebSocket" not in fault] == []


def message(page: "Page", message_id: str) -> "Locator":
    return page.locator(f"[data-message-id='{message_id}']")


async def shown(locator: "Locator", text: str) -> None:
    await locator.filter(has_text=text).first.wait_for()


async def feed_gap(page: "Page") -> float:
    """Return how far the reader is from the end of the messages."""
    feed = page.locator("#feed")
    return float(await feed.evaluate("feed => feed.scrollHeight - feed.scrollTop - feed.clientHeight"))


async def until(page: "Page", condition: str) -> None:
    """Wait for something that no locator can say."""
    look = f"const look = () => ({condition}) ? done() : requestAnimationFrame(look); look();"
    await asyncio.wait_for(page.evaluate(f"new Promise((done) => {{ {look} }})"), 5)


# --- text

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
"""Markdown, and what it becomes when classes and other details are left out."""

RENDER = """
async (cases) => {
  const { markdown } = await import("/static/markdown.js");
  const scene = {
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
    box.append(...markdown(text, scene).map(plain));
    return box.innerHTML.replace(/<div>(<[uo]l.*?)<\\/div>/g, "$1");
  });
}
"""


async def test_markdown_becomes_what_discord_users_expect(visit: Visit) -> None:
    page = await visit()
    rendered = await page.evaluate(RENDER, [text for text, _ in MARKUP])
    got = dict(zip((text for text, _ in MARKUP), rendered, strict=True))
    assert got == dict(MARKUP)


async def test_markup_is_text_wherever_it_stands(visit: Visit, bot: RawBot, sandbox: Sandbox) -> None:
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
    await message(page, posted).locator("[data-select]").click()
    await shown(page.locator("[role=option]"), evil)
    await page.keyboard.press("Escape")
    await page.fill("#composer", "/e")
    await shown(page.locator("[data-command=evil]"), evil)

    assert await message(page, posted).get_by_text(evil).count() >= 6
    assert await page.evaluate("window.hurt") is None
    assert await page.locator("img, script:not([src]), a[href^=javascript]").count() == 0


async def test_dice_and_emoji_are_drawn_large(visit: Visit, bot: RawBot) -> None:
    page = await visit()
    posted = await bot.post("table-one", embeds=[{"description": "# ⚃ 🎲"}], components=[row(button("b", "⚅"))])
    heading = message(page, posted).get_by_role("heading")
    for glyph in (
        heading.locator(".die[data-pips='4']"),
        message(page, posted).locator("button .die[data-pips='6']"),
    ):
        box = await glyph.bounding_box()
        assert box is not None
        assert box["width"] == box["height"] >= 20
    assert await heading.inner_text() == "⚃ 🎲"


async def test_embed_fields_stand_beside_each_other_only_where_they_are_inline(visit: Visit, bot: RawBot) -> None:
    page = await visit()
    fields = [{"name": name, "value": "v", "inline": name != "d"} for name in "abcdef"]
    posted = await bot.post("table-one", embeds=[{"title": "t", "fields": fields}])
    boxes = {name: await message(page, posted).get_by_text(name, exact=True).bounding_box() for name in "abcdef"}
    tops = [box["y"] for box in boxes.values() if box]
    assert len(tops) == 6
    assert tops[0] == tops[1] == tops[2] < tops[3] < tops[4] == tops[5]


async def test_a_file_in_an_embed_is_shown_there_alone_and_others_are_links(visit: Visit) -> None:
    page = await visit()
    here = "http://127.0.0.1:1/cdn/embed/avatars"
    entry = {
        "url": f"{here}/1.png",
        "filename": "one.png",
        "size": 2048,
        "content_type": "image/png",
        "id": "1",
    }
    other = {
        "url": f"{here}/2.png",
        "filename": "two.txt",
        "size": 2048,
        "content_type": "text/plain",
        "id": "2",
    }
    described = {
        "id": "3",
        "channel_id": "4",
        "author": {"id": "5", "username": "x"},
        "timestamp": "2026-01-01T00:00:00Z",
        "embeds": [{"image": {"url": "attachment://one.png"}}],
        "attachments": [entry, other],
    }
    html = await page.evaluate(
        """async (message) => {
          const [{ messageNode }, { Scene }, { Activity }] = await Promise.all(
            ["message", "scene", "activity"].map((name) => import(`/static/${name}.js`)));
          return messageNode(message, new Scene(), new Activity(() => {})).outerHTML;
        }""",
        described,
    )
    assert html.count('src="/cdn/embed/avatars/1.png"') == 1
    assert 'href="/cdn/embed/avatars/2.png"' in html
    assert "2.0 KB" in html


# --- who sees what


async def test_a_private_answer_is_seen_by_its_reader_alone_and_can_be_dismissed(visit: Visit, bot: RawBot) -> None:
    bot.answers["help"] = lambda _: whispers("for you alone")
    robin, wren = await visit("Robin"), await visit("Wren")
    await robin.click("[data-command=help]")
    private = robin.locator("[data-message-id]", has_text="for you alone")
    await shown(private, "Only you can see this")
    assert await private.locator(".origin").text_content() == "RRobin used /help"
    await bot.post("table-one", "for everybody")
    await shown(wren.locator("[data-message-id]"), "for everybody")
    assert await wren.get_by_text("for you alone").count() == 0

    await robin.keyboard.press("Alt+Digit2")
    await private.wait_for(state="detached")
    await robin.keyboard.press("Alt+Digit1")
    await private.get_by_text("Dismiss message").click()
    await private.wait_for(state="detached")


async def test_a_failed_click_is_told_to_the_clicker_until_the_message_changes(visit: Visit, bot: RawBot) -> None:
    robin, wren = await visit("Robin"), await visit("Wren")
    posted = await bot.post("table-one", "a table", components=[row(button("roll", "Roll"))])
    await message(robin, posted).get_by_role("button", name="Roll").click()
    assert await message(robin, posted).locator("[aria-busy=true]").count() == 1
    await shown(message(robin, posted), "This interaction failed")
    await message(wren, posted).wait_for()
    assert await wren.get_by_text("This interaction failed").count() == 0
    await bot.edit("table-one", posted, content="an edited table")
    await shown(message(robin, posted), "an edited table")
    assert await robin.get_by_text("This interaction failed").count() == 0


async def test_a_deferred_answer_shows_that_the_bot_is_thinking(visit: Visit, bot: RawBot) -> None:
    bot.answers["help"] = lambda _: {"type": 5}
    page = await visit()
    await page.click("[data-command=help]")
    await shown(page.locator("[data-message-id]"), "Parlour is thinking…")
    asked = bot.heard[-1]
    original = f"/webhooks/{asked['application_id']}/{asked['token']}/messages/@original"
    await bot.call("PATCH", original, {"content": "thought out"})
    await shown(page.locator("[data-message-id]"), "thought out")
    assert await page.get_by_text("is thinking").count() == 0


# --- the welcome and the message box


async def test_an_empty_channel_offers_commands_that_one_click_sends(visit: Visit, bot: RawBot) -> None:
    bot.answers["magpie"] = lambda _: says("a table is open")
    page = await visit()
    chips = page.locator("#welcome [data-command]")
    await shown(chips, "/magpie new")
    offered = [await chip.get_attribute("data-command") for chip in await chips.all()]
    assert offered == ["magpie new", "help"]
    # A second click of a hasty reader opens no second table.
    await chips.first.dblclick()
    await shown(page.locator("[data-message-id]"), "a table is open")
    assert [heard["data"]["options"][0]["name"] for heard in bot.heard] == ["new"]
    await page.locator("#welcome").wait_for(state="hidden")


async def test_the_picker_follows_the_keyboard(visit: Visit, bot: RawBot) -> None:
    bot.answers["help"] = lambda _: says("here is help")
    page = await visit()
    composer = page.locator("#composer")
    await composer.press("/")
    chosen = page.locator("#picker [aria-selected=true]")
    assert await page.locator("#picker [data-command]").count() == 4
    assert await chosen.get_attribute("data-command") == "about"
    await composer.press("ArrowDown")
    assert await chosen.get_attribute("data-command") == "help"
    assert await composer.get_attribute("aria-activedescendant") == await chosen.get_attribute("id")
    await composer.press("Escape")
    await page.locator("#picker").wait_for(state="hidden")
    await composer.press_sequentially("he")
    await composer.press("Tab")
    assert await composer.input_value() == "/help "
    await composer.press("Enter")
    await shown(page.locator("[data-message-id]"), "here is help")
    assert await composer.input_value() == ""


async def test_options_are_typed_checked_and_completed(visit: Visit, bot: RawBot) -> None:
    def answer(asked: Json) -> Json:
        if asked["type"] == 4:
            typed = asked["data"]["options"][0]["options"][0]["value"]
            return {"type": CHOICES, "data": {"choices": [{"name": f"all the {typed}s", "value": "1 2"}]}}
        return says("rolled")

    bot.answers["magpie"] = answer
    page = await visit()
    await page.fill("#composer", "/magpie roll ")
    dice, times = page.locator("[data-option=dice] input"), page.locator("[data-option=times] input")
    assert await dice.evaluate("node => node === document.activeElement")
    await dice.press_sequentially("six")
    await shown(page.locator("[data-option=dice] [role=option]"), "all the sixs")
    await dice.press("Enter")
    assert await dice.input_value() == "all the sixs"
    await dice.press("Enter")
    await shown(page.locator("[data-option=times]"), "This one is needed.")
    assert await times.evaluate("node => node === document.activeElement")
    for wrong, reason in (("many", "Enter a whole number."), ("4", "3 is the most.")):
        await times.fill(wrong)
        await times.press("Enter")
        await shown(page.locator("[data-option=times]"), reason)
    await times.fill("2")
    await page.click("[data-add-option=loud]")
    await page.locator("[data-option=loud] select").select_option("False")
    await page.click("#send")
    await shown(page.locator("[data-message-id]"), "rolled")
    given = bot.heard[-1]["data"]["options"][0]["options"]
    assert [(each["name"], each["value"]) for each in given] == [
        ("dice", "1 2"),
        ("times", 2),
        ("loud", False),
    ]


async def test_escape_leaves_a_command_and_unknown_ones_are_refused_in_place(visit: Visit, sandbox: Sandbox) -> None:
    page = await visit()
    composer = page.locator("#composer")
    await composer.fill("/magpie new ")
    await page.click("[data-add-option=target]")
    await page.locator("[data-option=target] input").press("Escape")
    assert await composer.input_value() == ""
    assert await page.locator("[data-option]").count() == 0
    await composer.fill("/nothing")
    await composer.press("Enter")
    await shown(page.locator("#composer-error"), "There is no command /nothing.")
    await composer.fill("just talk")
    await composer.press("Enter")
    await shown(page.locator("[data-message-id]"), "just talk")
    assert [said.content for said in sandbox.channel("table-one").messages] == ["just talk"]


# --- edits, scrolling, links


async def test_focus_and_elements_survive_an_edit(visit: Visit, bot: RawBot) -> None:
    def controls(*labels: str, **more: Any) -> list[Json]:
        return [row(*(button(f"{label}-id", label, **more) for label in labels))]

    page = await visit()
    posted = await bot.post("table-one", "first", components=controls("One", "Two"))
    second = message(page, posted).locator("[data-custom-id]").nth(1)
    await second.focus()
    await second.evaluate("node => { window.kept = node }")
    await bot.edit(
        "table-one",
        posted,
        content="",
        embeds=[{"title": "now an embed"}],
        components=controls("Three", "Four"),
    )
    await shown(message(page, posted), "now an embed")
    assert await page.evaluate("window.kept === document.activeElement && window.kept.isConnected")
    assert await second.get_attribute("data-custom-id") == "Four-id"

    await bot.edit("table-one", posted, components=controls("Three", "Four", disabled=True))
    await until(page, "document.activeElement === document.body")
    await bot.edit("table-one", posted, components=controls("Three", "Four"))
    await until(page, "document.activeElement === window.kept")


async def test_an_edit_leaves_an_opened_spoiler_open(visit: Visit, bot: RawBot) -> None:
    page = await visit()
    posted = await bot.post("table-one", "||secret|| one")
    spoiler = message(page, posted).locator(".spoiler")
    await spoiler.focus()
    await page.keyboard.press("Enter")
    assert await spoiler.get_attribute("data-shown") is not None
    await bot.edit("table-one", posted, content="||secret|| two")
    await shown(message(page, posted), "two")
    assert await spoiler.get_attribute("data-shown") is not None


async def test_a_select_with_bounds_is_sent_when_it_is_done(visit: Visit, bot: RawBot) -> None:
    bot.answers["keep"] = lambda asked: {
        "type": UPDATE,
        "data": {"content": " ".join(asked["data"]["values"])},
    }
    options = [{"label": f"Die {value}", "value": value} for value in "1234"]
    select = {"type": 3, "custom_id": "keep", "min_values": 2, "max_values": 3, "options": options}
    page = await visit()
    posted = await bot.post("table-one", "-", components=[row(select)])
    done = page.locator("#select-menu [data-done]")
    await message(page, posted).locator("[data-custom-id=keep]").click()
    await page.keyboard.press("Space")
    assert await done.is_disabled()
    # Leaving with too few chosen sends nothing, so nothing is refused before the next thing is said.
    await page.click("#place")
    await done.wait_for(state="hidden")
    await page.fill("#composer", "wait")
    await page.press("#composer", "Enter")
    await shown(page.locator("[data-message-id]"), "wait")
    assert await message(page, posted).locator(".failure").text_content() == ""
    await message(page, posted).locator("[data-custom-id=keep]").click()
    await page.keyboard.press("Space")
    for value in "432":
        await page.click(f"#select-menu [data-value='{value}']")
    assert await page.locator("#select-menu [aria-selected=true]").count() == 3
    await done.click()
    await shown(message(page, posted).locator(".content"), "1 3 4")
    assert [heard["data"]["values"] for heard in bot.heard] == [["1", "3", "4"]]


async def test_the_end_stays_in_sight_unless_the_reader_is_elsewhere(
    visit: Visit, bot: RawBot, sandbox: Sandbox
) -> None:
    lounge = sandbox.channel("lounge")
    for number in range(60):
        sandbox.person("Jay").say(lounge, f"line {number}")
    page = await visit()
    await page.click(f"[data-channel='{lounge.id}']")
    await shown(page.locator("[data-message-id]"), "line 59")
    sandbox.person("Jay").say(lounge, "at the end")
    await shown(page.locator("[data-message-id]"), "at the end")
    await until(page, "document.getElementById('newer').hidden")
    assert await feed_gap(page) <= 1

    await page.evaluate("document.getElementById('feed').scrollTop = 100")
    await until(page, "document.getElementById('feed').scrollTop === 100")
    # The scroll event comes with the next frame.
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    await bot.post("lounge", "unseen below")
    await shown(page.locator("[data-message-id]"), "unseen below")
    assert await page.evaluate("document.getElementById('feed').scrollTop") == 100
    await page.get_by_role("button", name="New messages").click()
    await page.locator("#newer").wait_for(state="hidden")
    assert await feed_gap(page) <= 1


@pytest.mark.parametrize("site", ["https://discord.com", "{here}"])
async def test_a_jump_link_opens_the_channel_and_flashes_the_message(
    visit: Visit, bot: RawBot, sandbox: Sandbox, site: str
) -> None:
    target = await bot.post("table-two", "the table")
    for number in range(60):
        sandbox.person("Jay").say(sandbox.channel("table-two"), f"line {number}")
    place = f"{sandbox.world.server.id}/{sandbox.channel('table-two').id}/{target}"
    await bot.post("table-one", f"[over there]({site.format(here=sandbox.url)}/channels/{place})")
    page = await visit()
    await page.get_by_role("link", name="over there").click()
    await shown(page.locator("#place"), "table-two")
    await page.locator(f".flash[data-message-id='{target}']").wait_for()
    box = await message(page, target).bounding_box()
    assert box is not None
    assert 0 < box["y"] < DESK["height"]
    # The page itself has nothing to scroll: only its feed has moved.
    assert await page.evaluate("document.documentElement.scrollHeight") == DESK["height"]


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
async def test_direct_messages_belong_to_who_is_looking(
    visit: Visit, bot: RawBot, sandbox: Sandbox, viewport: Any
) -> None:
    here_only = {"name": "here-only", "description": "For servers", "contexts": [0]}
    await bot.register(*COMMANDS, here_only)
    bot.answers["help"] = lambda _: says("between us", components=[row(button("more", "More"))])
    bot.answers["more"] = lambda _: {"type": UPDATE, "data": {"content": "more between us"}}
    page = await visit("Wren", viewport)
    entry, place, feed = (page.locator(each) for each in ("#directs [data-channel]", "#place", "#messages"))

    async def enter(channel: "Locator") -> None:
        if viewport is PHONE:
            await page.click("#menu")
        await channel.click()

    await page.fill("#composer", "/here-only ")
    await enter(entry)
    await shown(place, "Parlour")
    assert await page.input_value("#composer") == "", "what is not offered there does not come along"
    await shown(page.locator("#welcome"), "only you, Wren, can see them")
    await page.fill("#composer", "/here-o")
    await shown(page.locator("#picker"), "No command is called that.")
    await page.fill("#composer", "")
    await page.click("#welcome [data-command=help]")
    await page.get_by_role("button", name="More").click()
    await shown(feed, "more between us")
    (message,) = sandbox.person("Wren").direct.messages
    assert sandbox.person("Robin").sees(message.channel) == []

    await page.locator("[data-person]", has_text="Robin").click()
    await shown(page.locator("#welcome"), "only you, Robin, can see them")
    assert await feed.inner_text() == ""
    await page.locator("[data-person]", has_text="Wren").click()
    await shown(feed, "more between us")

    await bot.post("table-one", f"[your move](https://discord.com/channels/@me/{message.channel.id}/{message.id})")
    await enter(page.locator(f"[data-channel='{sandbox.channel('table-one').id}']"))
    await bot.call("POST", f"/channels/{message.channel.id}/messages", {"content": "unread"})
    await page.locator("#directs .unread").wait_for(state="attached")
    await page.get_by_role("link", name="your move").click()
    await page.locator(f".flash[data-message-id='{message.id}']").wait_for()
    await page.reload()
    await shown(place, "Parlour")
    await shown(feed, "unread")


# --- connection and phone


async def test_the_page_says_when_the_bot_is_away_and_comes_back_by_itself(visit: Visit, sandbox: Sandbox) -> None:
    page = await visit("Wren")
    banner = page.locator("#banner")
    await banner.wait_for(state="hidden")
    sandbox.world.set_online(False)
    await shown(banner, "Parlour is offline: reconnecting…")
    again = Sandbox(port=sandbox.port)
    await sandbox.stop()
    await shown(banner, "Not connected to the sandbox")
    await again.start()
    try:
        async with raw_bot(again):
            await banner.wait_for(state="hidden")
            await page.fill("#composer", "still me")
            await page.press("#composer", "Enter")
            await shown(page.locator("[data-message-id]"), "still me")
            assert [said.author.name for said in again.channel("table-one").messages] == ["Wren"]
    finally:
        await again.stop()


async def test_a_phone_shows_everything_without_scrolling_sideways(visit: Visit, bot: RawBot, sandbox: Sandbox) -> None:
    fields = [{"name": "a long name of a field", "value": "w" * 90, "inline": True} for _ in range(3)]
    wide = [row(*(button(f"b{number}", "A rather long label") for number in range(5)))]
    page = await visit(viewport=PHONE)
    posted = await bot.post("table-one", "x" * 300, embeds=[{"title": "t" * 200, "fields": fields}], components=wide)
    await message(page, posted).wait_for()
    for width in ("document.documentElement.scrollWidth", "document.getElementById('feed').scrollWidth"):
        assert await page.evaluate(width) <= PHONE["width"]
    heights = "nodes => nodes.map((node) => node.getBoundingClientRect().height)"
    buttons = page.locator("button:visible")
    assert await buttons.count() >= 11
    assert min(await buttons.evaluate_all(heights)) >= 40

    lounge = page.locator(f"[data-channel='{sandbox.channel('lounge').id}']")
    assert not await lounge.is_visible()
    await page.click("#menu")
    await lounge.click()
    await shown(page.locator("#place"), "lounge")
    await lounge.wait_for(state="hidden")
