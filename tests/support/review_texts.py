"""Reads reviews as a person does who adds their figures up."""

import re


def require_sums(text: str) -> None:
    """Check that each seat's figures add up to what it ended with; points are whole unless they are few."""
    lines = [line for line in text.splitlines() if " · began with " in line]
    assert lines
    for line in lines:
        began, luck, end = (_figures(word, line)[0] for word in ("began with", "luck", "ended with"))
        came_to = began + luck - sum(_figures("gave away", line)) + sum(_figures("got", line))
        assert abs(came_to - end) < 0.5, line


def _figures(word: str, line: str) -> list[float]:
    """Return the figures after a word."""
    return [float(each.replace("−", "-")) for each in re.findall(rf"\b{word} ([+−]?[0-9.]+)(?:%| points?)", line)]
