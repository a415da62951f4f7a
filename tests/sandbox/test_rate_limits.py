"""Limits of requests, and the clock that tests set forward."""

import asyncio
import inspect
from collections.abc import AsyncIterator

import aiohttp
import pytest

from bot.sandbox import Channel, Person, Rate, Rates, Sandbox
from bot.sandbox.model.clock import Clock
from bot.sandbox.model.interactions import InteractionState
from bot.sandbox.rest.rates import DISCORD, Bucket, RateLimiter
from tests.sandbox.message_bodies import messages
from tests.sandbox.wire_bot import PING, Json, WireBot, run_sandbox
from tests.support.memory import count_instances
from tests.support.waiting import DEADLINE_SECONDS

POST = ("POST", r"/channels/{channel_id:\d+}/messages")
TIGHT = Rates(routes={POST: Rate(2, 600.0)})
WORDS: Json = {"content": "x"}


@pytest.fixture
def rates() -> Rates:
    return TIGHT


@pytest.fixture
async def sandbox(rates: Rates) -> AsyncIterator[Sandbox]:
    async with run_sandbox(Sandbox(rates=rates, deadline=DEADLINE_SECONDS)) as running:
        yield running


async def post_message(wire: WireBot, channel: Channel) -> aiohttp.ClientResponse:
    async with wire.http.post(wire.sandbox.api_url + messages(channel), json=WORDS) as answer:
        await answer.read()
        return answer


async def test_every_answer_carries_the_remaining_requests(wire: WireBot, channel: Channel) -> None:
    said = [(await post_message(wire, channel)).headers for _ in range(2)]
    assert [(each["X-RateLimit-Limit"], each["X-RateLimit-Remaining"]) for each in said] == [("2", "1"), ("2", "0")]
    assert said[0]["X-RateLimit-Bucket"] == said[1]["X-RateLimit-Bucket"]
    assert 500 < float(said[1]["X-RateLimit-Reset-After"]) <= 600
    ends = float(said[1]["X-RateLimit-Reset"])
    assert abs(ends - wire.sandbox.world.clock.wall_time() - 600) < 100
    _, answer = await wire.request("GET", f"/channels/{channel.id}")
    assert answer["id"] == str(channel.id), "what has no limit of its own says nothing"


async def test_a_request_over_the_limit_is_refused_until_the_window_ends(wire: WireBot, channel: Channel) -> None:
    for _ in range(2):
        assert (await post_message(wire, channel)).status == 200
    refused = await post_message(wire, channel)
    assert (refused.status, refused.headers["X-RateLimit-Scope"]) == (429, "user")
    assert 500 < int(refused.headers["Retry-After"]) <= 600
    assert (refused.headers["Via"], refused.headers["X-RateLimit-Remaining"]) == ("1.1 google", "0")
    status, answer = await wire.request("POST", messages(channel), WORDS)
    assert (status, answer["global"], answer["message"]) == (429, False, "You are being rate limited.")
    assert 500 < answer["retry_after"] <= 600
    assert len(channel.messages) == 2
    wire.sandbox.world.clock.advance(answer["retry_after"])
    assert (await post_message(wire, channel)).status == 200


async def test_refused_requests_count_too_but_not_for_another_channel(
    wire: WireBot, sandbox: Sandbox, channel: Channel
) -> None:
    for _ in range(2):
        assert await wire.refusal("POST", messages(channel), {}) == (400, 50006)
    assert (await post_message(wire, channel)).status == 429
    elsewhere = await post_message(wire, sandbox.channel("lounge"))
    assert (elsewhere.status, elsewhere.headers["X-RateLimit-Remaining"]) == (200, "1")


@pytest.mark.parametrize("rates", [Rates(everywhere=Rate(3, 600.0))], ids=["three in ten minutes"])
async def test_the_token_has_a_global_limit(wire: WireBot, wren: Person, channel: Channel) -> None:
    await wire.register(PING)
    for _ in range(2):
        await post_message(wire, channel)
    refused = await post_message(wire, channel)
    assert (refused.status, refused.headers["X-RateLimit-Global"]) == (429, "true")
    assert (refused.headers["X-RateLimit-Scope"], refused.headers["Via"]) == ("global", "1.1 google")
    status, answer = await wire.request("GET", f"/channels/{channel.id}")
    assert (status, answer["global"]) == (429, True)
    using, interaction = await wire.receive(wren.slash(channel, "ping"))
    assert (await wire.answer(interaction, 4, WORDS))[0] == 204, "answers do not count as the bot's"
    await using


def test_every_limited_route_is_served_and_others_have_no_bucket() -> None:
    served = {(route.method, route.path) for route in Sandbox().routes}
    for method, path in DISCORD.routes:
        assert (method, path) in served, "a limit of nothing"
    limiter = RateLimiter(Clock(), None)
    assert limiter.count_request("POST", "/anywhere", {}).headers == {}


def test_expired_windows_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.sandbox.rest.rates.MAX_BUCKETS", 3)
    clock, others = Clock(), count_instances(Bucket)
    limiter = RateLimiter(clock, Rates(routes={("POST", "/{token}"): Rate(1, 600.0)}))
    for token in "abcde":
        assert limiter.count_request("POST", "/{token}", {"token": token}).wait is None
    assert limiter.count_request("POST", "/{token}", {"token": "a"}).wait is not None, "what is used up is remembered"
    clock.advance(601)
    for token in "fghij":
        limiter.count_request("POST", "/{token}", {"token": token})
    assert count_instances(Bucket) - others == len("fghij")


def test_the_default_deadline_of_an_answer_is_three_seconds() -> None:
    assert inspect.signature(Sandbox).parameters["deadline"].default == 3


async def test_the_clock_drives_the_deadline_and_the_life_of_a_token(
    wire: WireBot, wren: Person, channel: Channel
) -> None:
    clock = wire.sandbox.world.clock
    await wire.register(PING)
    using, interaction = await wire.receive(wren.slash(channel, "ping"))
    clock.advance(1)
    assert not using.done()
    clock.advance(DEADLINE_SECONDS - 1)
    assert (await using).state is InteractionState.FAILED
    assert await wire.refuse(interaction, 4, WORDS) == (404, 10062)
    using, interaction = await wire.receive(wren.slash(channel, "ping"))
    await wire.answer(interaction, 4, WORDS)
    clock.advance(14 * 60)
    assert (await wire.request("POST", wire.webhook(interaction), WORDS))[0] == 200
    clock.advance(61)
    assert await wire.refusal("POST", wire.webhook(interaction), WORDS) == (401, 50027)
    await using


async def test_timers_fire_in_order_and_only_once() -> None:
    clock, rung = Clock(), list[str]()
    later = clock.call_later(20, lambda: rung.append("later"))
    clock.call_later(10, lambda: rung.append("sooner"))
    clock.call_later(15, lambda: clock.cancel(later))
    by_itself = asyncio.Event()
    clock.call_later(0.01, by_itself.set)
    await asyncio.wait_for(by_itself.wait(), 30)
    before = clock.wall_time()
    clock.advance(30)
    assert rung == ["sooner"]
    assert 29 < clock.wall_time() - before < 32
