"""Hints: private, counted once, and only for the player to move."""

from collections.abc import Sequence
from dataclasses import replace
from threading import get_ident
from typing import Any

import pytest

from bot.features.hints.messages import HintId, ShowHintId
from bot.features.hints.service import use_hint
from bot.features.settings.all_settings import HINTS
from bot.platform.discord.ids import parse_id
from bot.platform.places import Person
from bot.rules.content import BrokenTables
from bot.rules.evaluation import Evaluation
from bot.rules.study import Explanation, RankedMove
from bot.tables.model import Status
from bot.tables.refusals import HostReason, Stale
from bot.tables.registry import GameRegistry
from bot.tables.shown.more import render_more
from bot.tables.shown.words import ROUGH_VALUES
from bot.tables.table import Table
from bot.words import gettext
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES, ROBIN, make_service, mover_of, open_lobby, roll, start_game
from tests.support.memory_database import MemoryDatabase
from tests.ui.adapter import Adapter
from tests.ui.fake_interactions import AnswerMethod, FakeInteraction, make_click


async def press(adapter: Adapter, table: Table, person: Person | None = None) -> FakeInteraction:
    """Press the button of a table as it was shown."""
    return await adapter.click(make_click(person or mover_of(table), HintId(table.id, table.header.step)))


async def accept(adapter: Adapter, table: Table, person: Person | None = None) -> FakeInteraction:
    """Press the button of the question that the first hint of a game begins with."""
    pressed = ShowHintId(table.id, table.header.step)
    return await adapter.click(make_click(person or mover_of(table), pressed, in_whisper=True))


def description_of(answered: FakeInteraction) -> str:
    embed = answered.answers[-1].embed
    assert embed is not None
    return embed.description or ""


class TestQuestion:
    async def test_the_first_hint_of_a_game_asks_and_costs_nothing_yet(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service)
        click = await press(adapter, table)
        assert [answer.ephemeral for answer in click.answers] == [True]
        assert str(ShowHintId(table.id, table.header.step)) in click.buttons()
        assert "**2.**" not in description_of(click)
        assert not (await adapter.service.table(table.id)).header.hinted

    async def test_later_hints_are_shown_at_once(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service)
        await accept(adapter, table)
        assert "**2.**" in description_of(await press(adapter, table))

    async def test_each_player_is_asked(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service)
        await accept(adapter, table)
        after = await roll(adapter.service, table)
        assert str(ShowHintId(table.id, after.header.step)) in (await press(adapter, after)).buttons()

    async def test_an_answer_that_comes_too_late_costs_nothing(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service)
        after = await roll(adapter.service, table)
        click = await accept(adapter, table)
        assert click.answers[-1].embed is None
        assert not (await adapter.service.table(after.id)).header.hinted


class TestMessage:
    async def test_it_is_private_and_shows_the_best_moves_with_odds_and_a_reason(self, adapter: Adapter) -> None:
        click = await accept(adapter, await start_game(adapter.service))
        assert [answer.how for answer in click.answers] == [AnswerMethod.EDIT], "it takes the place of the question"
        move, _reason, *numbers = description_of(click).splitlines()
        assert move.startswith("**")
        assert [line.split()[0] for line in numbers if line[0] in "🎲*"] == ["🎲", "**2.**", "**3.**"]

    async def test_it_says_that_the_strongest_player_did_not_give_it(self, adapter: Adapter) -> None:
        sentence = gettext(ROUGH_VALUES)
        table = await start_game(adapter.service)
        assert sentence not in description_of(await accept(adapter, table))

        def fail(_view: object, _moves: object) -> Evaluation:
            raise BrokenTables("data/magpie/race.npz can't be read.")

        broken = Adapter(
            MemoryDatabase(),
            FakeTableMessages(),
            GameRegistry([replace(GAMES["magpie"], mind=replace(GAMES["magpie"].mind, evaluate=fail))]),
        )
        assert sentence in description_of(await accept(broken, await start_game(broken.service)))
        await broken.host.close()

    async def test_the_event_loop_neither_values_nor_explains_moves(self, adapter: Adapter) -> None:
        package, threads = GAMES["magpie"], set[int]()
        evaluate, hints = package.mind.evaluate, package.study.hints
        assert evaluate is not None
        assert hints is not None

        def evaluate_here(view: Any, moves: Sequence[Any]) -> Evaluation:
            threads.add(get_ident())
            return evaluate(view, moves)

        def explain_here(view: Any, best: Sequence[RankedMove[Any]], evaluation: Evaluation) -> Explanation:
            threads.add(get_ident())
            return hints.explain(view, best, evaluation)

        watched = replace(
            package,
            mind=replace(package.mind, evaluate=evaluate_here),
            study=replace(package.study, hints=replace(hints, explain=explain_here)),
        )
        watching = Adapter(MemoryDatabase(), FakeTableMessages(), GameRegistry([watched]))
        await accept(watching, await start_game(watching.service))
        await watching.host.close()
        assert threads
        assert get_ident() not in threads

    async def test_a_double_click_leaves_one_message(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service)
        await accept(adapter, table)
        first, second = await press(adapter, table), await press(adapter, table)
        await adapter.app.ephemeral_messages.close(1)
        assert (len(first.deleted), len(second.deleted)) == (1, 0)


class TestMemory:
    async def test_the_table_remembers_who_used_hints_and_stays_at_its_step(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service)
        await accept(adapter, table)
        stored = await make_service(adapter.db).table(table.id)
        assert stored.header.hinted == {table.header.to_move}
        assert stored.header.step == table.header.step
        await roll(adapter.service, table)

    async def test_later_hints_of_a_seat_change_nothing(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service)
        for _ in range(3):
            await accept(adapter, table)
        assert (await adapter.service.table(table.id)).header.revision == table.header.revision + 1

    async def test_two_processes_may_note_it_at_once(self, db: MemoryDatabase) -> None:
        one, other = make_service(db), make_service(db)
        table = await start_game(one)
        mover = mover_of(table)
        for service in (other, one):
            await service.table(table.id)
        await use_hint(one, table.id, mover, 0)
        assert (await use_hint(other, table.id, mover, 0)).header.hinted == {table.header.to_move}

    async def test_a_hint_is_activity(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service)
        adapter.clock.tick(100)
        await accept(adapter, table)
        assert (await adapter.service.table(table.id)).header.awaited_since == adapter.clock()


class TestRefusals:
    async def test_a_late_click_only_shows_the_table(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service)
        after = await roll(adapter.service, table)
        click = await press(adapter, table)
        assert [answer.how for answer in click.answers] in ([AnswerMethod.EDIT], [AnswerMethod.DEFER])
        assert not (await adapter.service.table(after.id)).header.hinted

    async def test_a_hint_that_comes_too_late_is_neither_shown_nor_counted(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service)
        await roll(adapter.service, table)
        with pytest.raises(Stale):
            await use_hint(adapter.service, table.id, mover_of(table), table.header.step)

    async def test_a_lobby_has_none(self, adapter: Adapter) -> None:
        table = await open_lobby(adapter.service)
        assert (await press(adapter, table, ROBIN)).refusal is HostReason.NOT_STARTED


class TestButton:
    def is_offered(self, adapter: Adapter, table: Table) -> bool:
        mover = mover_of(table) if table.header.to_move is not None else ROBIN
        more = render_more(table, adapter.app.table_messages.parts, mover.id)
        return any(isinstance(parse_id(button.custom_id), HintId) for row in more.rows for button in row)

    async def test_it_is_there_while_a_person_has_a_choice(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service)
        assert self.is_offered(adapter, table)
        by_computer = replace(table, header=replace(table.header, awaits_computer=True))
        assert not self.is_offered(adapter, by_computer)
        over = replace(table, header=replace(table.header, status=Status.CANCELLED, to_move=None))
        assert not self.is_offered(adapter, over)

    async def test_it_is_not_there_if_the_host_or_the_server_forbids_hints(self, adapter: Adapter) -> None:
        table = await start_game(adapter.service)
        header = replace(table.header, revision=table.header.revision + 1, allows_hints=False)
        forbidden = replace(table, header=header)
        assert not self.is_offered(adapter, forbidden)
        await adapter.settings.change(table.header.location.scope_id, HINTS, lambda _: False)
        assert not self.is_offered(adapter, table)
