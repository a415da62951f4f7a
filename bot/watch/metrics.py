"""Counters, histograms and gauges, written in the text format that Prometheus reads."""

from bisect import bisect_left
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence

Labels = tuple[str, ...]


class Counter:
    """Counts what happens, by the values of its labels."""

    def __init__(self, name: str, about: str, *labels: str) -> None:
        self._name, self._about, self._labels = name, about, labels
        self._counts: Tally[Labels] = Tally()

    def count(self, *values: str) -> None:
        """Count one more."""
        self._counts[values] += 1

    def lines(self) -> Iterator[str]:
        """Write the counter; one without labels shows that nothing has happened yet."""
        counts = self._counts if self._labels else {(): self._counts[()]}
        yield from _family(self._name, "counter", self._about, self._labels, sorted(counts.items()))


class Histogram:
    """Counts how long something took, by upper bounds in seconds."""

    def __init__(self, name: str, about: str, bounds: Sequence[float]) -> None:
        self._name, self._about, self._bounds = name, about, tuple(bounds)
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        """Count something that took so long."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def lines(self) -> Iterator[str]:
        """Write the histogram: each bucket holds what is in those before it too."""
        yield from _head(self._name, "histogram", self._about)
        total = 0
        for bound, count in zip((*map(str, self._bounds), "+Inf"), self._counts, strict=True):
            total += count
            yield f'{self._name}_bucket{{le="{bound}"}} {total}'
        yield f"{self._name}_sum {self._sum:.6f}"
        yield f"{self._name}_count {total}"


def gauge(name: str, about: str, label: str, values: Mapping[str, float]) -> Iterator[str]:
    """Write what something measures now, by the value of a label."""
    yield from _family(name, "gauge", about, (label,), [((key,), value) for key, value in sorted(values.items())])


def single_gauge(name: str, about: str, value: float) -> Iterator[str]:
    """Write what something measures now."""
    yield from _family(name, "gauge", about, (), [((), value)])


def _family(name: str, kind: str, about: str, labels: Labels, samples: Iterable[tuple[Labels, float]]) -> Iterator[str]:
    yield from _head(name, kind, about)
    for values, sample in samples:
        pairs = ",".join(f'{label}="{_escaped(value)}"' for label, value in zip(labels, values, strict=True))
        yield f"{name}{{{pairs}}} {_number(sample)}" if pairs else f"{name} {_number(sample)}"


def _number(value: float) -> str:
    return str(int(value)) if value == int(value) else repr(value)


def _head(name: str, kind: str, about: str) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
