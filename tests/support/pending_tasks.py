"""Tasks that wait for a timer."""

import asyncio


def waiting_retries() -> list[asyncio.Task[object]]:
    """Return the tasks that wait to show a table again."""
    return [task for task in asyncio.all_tasks() if "retry" in task.get_name() and not task.cancelling()]
