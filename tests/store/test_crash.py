"""What was acknowledged is there after a crash."""

from bot.store.store import SqlStore
from tests.store.samples import a_process, add_moves

STEPS = 150


async def test_every_acknowledged_move_survives_a_kill(store: SqlStore, address: str) -> None:
    process = await a_process("writes.py", address)
    assert process.stdout is not None
    table_id = int(await process.stdout.readline())
    for step in range(1, STEPS + 1):
        assert int(await process.stdout.readline()) == step
    process.kill()
    rest = (await process.stdout.read()).split(b"\n")
    await process.wait()
    acknowledged = max([STEPS, *(int(line) for line in rest[:-1])])

    record = await store.load(table_id)
    assert record is not None
    # The last move may have been written without anybody hearing of it.
    assert len(record.entries) in (acknowledged, acknowledged + 1)
    assert [entry.text for entry in record.entries] == [f"move {n + 1}" for n in range(len(record.entries))]
    assert record.header.step == len(record.entries)
    await add_moves(store, record.header, 1)
