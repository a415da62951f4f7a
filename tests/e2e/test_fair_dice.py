"""Anyone can check that a table was fair once a table is over, and no one before."""

import base64
import hashlib
import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from aiohttp import web

from bot.features.fairness.records import read_record
from bot.features.fairness.verification import verify_record
from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import Interaction
from bot.sandbox.model.messages import Attachment, Message
from bot.sandbox.rest.routes import RequestBody, read_body
from bot.sandbox.wire import decode
from bot.tables.host import Host
from tests.commands.run_command import run_command
from tests.fairdice import checker
from tests.support.fakes import GAMES, STRANGER
from tests.support.parlour import ROLL, Parlour, run_parlour, shows_moves


@pytest.fixture
async def parlour(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Parlour]:
    """A bot whose seeds and salts are made as they are for people."""
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3", dice_are_steady=False) as running:
        yield running


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """Everything the bot sends, requests and frames of the gateway, as it arrives at the sandbox."""
    kept: list[bytes] = []

    async def noting(request: web.Request) -> RequestBody:
        kept.append(f"{request.method} {request.rel_url} {dict(request.headers)}".encode())
        kept.append(await request.read())
        return await read_body(request)

    def noting_frame(text: str) -> object:
        kept.append(text.encode())
        return decode(text)

    monkeypatch.setattr("bot.sandbox.rest.routes.read_body", noting)
    monkeypatch.setattr("bot.sandbox.gateway.gateway.decode", noting_frame)
    return kept


def encodings(secret: bytes) -> Iterator[bytes]:
    """The ways in which bytes may be written, by intent or by accident."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    yield secret[::-1].hex().encode()
    for order in ("big", "little"):
        yield str(int.from_bytes(secret, order)).encode()
    for gap in (", ", ",", " "):
        yield gap.join(map(str, secret)).encode()
    yield repr(secret)[2:-1].encode()
    yield json.dumps(repr(secret))[3:-2].encode()
    yield json.dumps(secret.decode("latin-1"))[1:-1].encode()
    yield "".join(f"%{byte:02X}" for byte in secret).encode()
    yield base64.b32encode(secret).rstrip(b"=")
    yield base64.b85encode(secret)
    for shift in range(3):
        # Within a longer text the letters depend on where the bytes begin; the outer ones mix with their neighbours.
        inner = secret[(3 - shift) % 3 :]
        whole = base64.b64encode(inner[: len(inner) // 3 * 3])
        yield whole
        yield whole.translate(bytes.maketrans(b"+/", b"-_"))


def leaks(seed: bytes, seen: list[bytes]) -> bool:
    """Tell whether the seed, or any eight bytes of it in hex, is in what was sent."""
    sent = b"\n".join(seen)
    pieces = (seed[at : at + 8].hex().encode() for at in range(len(seed) - 7))
    return any(text in sent for text in encodings(seed)) or any(piece in sent.lower() for piece in pieces)


def attached_file(answer: Interaction) -> Attachment:
    ((file,),) = [reply.attachments for reply in answer.replies]
    return file


async def test_a_whole_game_is_sealed_until_it_is_over_and_then_verified(
    seen: list[bytes], parlour: Parlour, tmp_path: Path
) -> None:
    message = await parlour.open_table(parlour.robin, target=50)
    seed = (await parlour.table()).header.seed
    promise = hashlib.sha256(seed).hexdigest()
    lobby = await parlour.linnet.slash(parlour.here, "table verify")
    await parlour.press(parlour.wren, message, "Join")
    await parlour.press(parlour.robin, message, "Start")
    await parlour.sandbox.until(lambda: shows_moves(message))
    table = await parlour.table()
    playing = await parlour.linnet.slash(parlour.here, "table verify")
    for answer in (lobby, playing):
        assert answer.ephemeral
        assert "sealed" in answer.text
        assert promise in answer.text
        assert not answer.replies[0].attachments
    forged = await parlour.linnet.click(message, f"v:{table.id}", forged=True)
    assert "sealed" in forged.text

    while (now := await parlour.client.app.service(Host).service.table(table.id)).mover is not None:
        await parlour.press(parlour.sandbox.person(now.mover.name), message, ROLL)
    await parlour.wait_until_settled()
    assert any(b"Roll all five" in each for each in seen)
    assert any(parlour.sandbox.token.encode() in each and each.startswith(b"{") for each in seen)
    assert not leaks(seed, seen)

    more = await parlour.open_more(parlour.linnet, message)
    by_button = await parlour.press(parlour.linnet, more, "Check fairness")
    by_command = await parlour.jay.slash(parlour.here, "table verify")
    for answer in (by_button, by_command):
        assert answer.ephemeral
        assert "This game was fair" in answer.text
        assert promise in answer.text
        assert seed.hex() in answer.text
    assert leaks(seed, seen)
    assert attached_file(by_button).content == attached_file(by_command).content
    assert_proves(attached_file(by_button), promise, now.header.step, tmp_path)
    assert_holds_no_ids(attached_file(by_button), parlour, message)


def assert_proves(file: Attachment, promise: str, steps: int, folder: Path) -> None:
    data = json.loads(file.content)
    assert data["commitment"] == promise
    assert checker.find_flaws(data) == []
    assert len(checker.replay_magpie_faces(data)) == steps + 1
    assert verify_record(read_record(file.content), GAMES).moves == steps
    kept = folder / file.filename
    kept.write_bytes(file.content)
    assert run_command("record", "verify", str(kept)).code == 0
    assert f"{steps}. " in run_command("record", "show", str(kept)).out


def assert_holds_no_ids(file: Attachment, parlour: Parlour, message: Message) -> None:
    people = (parlour.robin, parlour.wren, parlour.jay, parlour.linnet)
    ids = [message.id, parlour.here.id, *(who.user.id for who in people)]
    assert not [each for each in ids if str(each).encode() in file.content]


async def test_a_game_against_the_computer_mixes_in_the_click_that_starts_it(parlour: Parlour) -> None:
    message = await parlour.open_table(parlour.robin)
    start = await parlour.press(parlour.robin, message, "Start with Rusty")
    table = await parlour.table()
    await parlour.client.app.service(Host).service.cancel(table.id, STRANGER, is_moderator=True)
    answer = await parlour.robin.slash(parlour.here, "table verify")
    data = json.loads(attached_file(answer).content)
    assert [seat["contribution"] for seat in data["seats"]] == [str(start.id), "computer:normal"]
    assert checker.find_flaws(data) == []
