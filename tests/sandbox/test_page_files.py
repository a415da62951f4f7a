"""The files that the page's server serves, and the origins that it allows."""

import asyncio
from pathlib import Path

import aiohttp
import pytest

from bot.sandbox import Sandbox
from bot.sandbox.page import files
from tests.sandbox.page_client import PageClient
from tests.support.each_case import each_case


@each_case(
    "headers",
    [
        {"Origin": "https://example.org"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
        {"Host": "example.org"},
        {"Host": "127.0.0.1"},
    ],
)
@each_case("path", ["/page/socket", "/gateway", "/", "/static/app.js", "/api/v10/gateway"])
async def test_other_origins_are_refused(sandbox: Sandbox, path: str, headers: dict[str, str]) -> None:
    async with aiohttp.ClientSession() as http, http.get(sandbox.url + path, headers=headers) as answer:
        assert answer.status == 403


@each_case("name", ["127.0.0.1", "localhost"])
async def test_the_pages_own_origin_is_allowed(sandbox: Sandbox, http: aiohttp.ClientSession, name: str) -> None:
    own = f"{name}:{sandbox.port}"
    headers = {"Host": own, "Origin": f"http://{own}"}
    async with http.ws_connect(f"{sandbox.url}/page/socket", headers=headers) as socket:
        assert (await PageClient(socket).wait_for_event())["t"] == "hello"


@pytest.fixture
def static(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Folders as on the disk: one that is served, one beside it that is not."""
    served = tmp_path / "static"
    served.mkdir()
    (served / "index.html").write_text("<title>Sandbox</title>")
    (served / "app.js").write_text("start();")
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(files, "STATIC", served)
    return served


@pytest.mark.usefixtures("static")
async def test_the_page_is_not_cached_and_has_a_strict_policy(sandbox: Sandbox, http: aiohttp.ClientSession) -> None:
    for path, text in (("/", "<title>Sandbox</title>"), ("/static/app.js", "start();")):
        async with http.get(sandbox.url + path) as answer:
            assert await answer.text() == text
            assert answer.headers["Cache-Control"] == "no-store"
            policy = answer.headers["Content-Security-Policy"]
            assert "default-src 'self'" in policy
            assert "unsafe" not in policy


@pytest.mark.usefixtures("static")
@each_case(
    "path",
    [
        "/static/../secret.txt",
        "/static/..%2Fsecret.txt",
        "/static/%2e%2e/secret.txt",
        "/static//etc/passwd",
        "/static/",
        "/static/missing.js",
        "/secret.txt",
        "/fonts/secret",
        "/cdn/attachments/1/1/secret.txt",
        "/cdn/attachments/1/..%2F..%2Fsecret.txt",
        "/cdn/../secret.txt",
        f"/cdn/attachments/1/{'9' * 5000}/secret.txt",
        f"/cdn/embed/avatars/{'9' * 5000}.png",
    ],
)
async def test_nothing_else_is_served(sandbox: Sandbox, path: str) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", sandbox.port)
    # Written by hand: clients tidy such addresses up before they send them.
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{sandbox.port}\r\nConnection: close\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    assert answer.startswith(b"HTTP/1.1 404")
    assert b"secret" not in answer


@each_case(
    "path, kind",
    [
        ("/cdn/embed/avatars/5.png", "image/svg+xml"),
        *((f"/fonts/{name}", "font/ttf") for name in ("regular", "bold", "mono", "symbols")),
    ],
)
async def test_avatars_and_fonts_come_with_the_page(
    sandbox: Sandbox, http: aiohttp.ClientSession, path: str, kind: str
) -> None:
    async with http.get(sandbox.url + path) as answer:
        assert (answer.status, answer.content_type) == (200, kind)
        assert (await answer.read())[:4] in {b"\x00\x01\x00\x00", b"OTTO", b"<svg"}
