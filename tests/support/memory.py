"""Measures what stays in memory."""

import gc


def count_instances(kind: type[object], *, collect: bool = True) -> int:
    """Return how many objects of a class are alive, once garbage is collected unless it is to count, too."""
    if collect:
        gc.collect()
    return sum(type(each) is kind for each in gc.get_objects())
