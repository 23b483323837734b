"""Times are in seconds here, and in milliseconds or nanoseconds in the library."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Union

Seconds = Union[int, float, Decimal, Fraction]


def _whole(seconds: Seconds, unit: int, what: str) -> int:
    try:
        number = round(Fraction(seconds) * unit)
    except (ValueError, OverflowError):
        number = -1
    if not 0 <= number < 1 << 63:
        raise ValueError(f"{what} is no time in seconds")
    return number


def ticks(mpegts: int) -> int:
    # As a number in C it would lose what 64 bits do not hold.
    if not 0 <= mpegts < 1 << 33:
        raise ValueError("map.mpegts is no number of 33 bits")
    return mpegts


def nanoseconds(seconds: Seconds, what: str) -> int:
    return _whole(seconds, 1_000_000_000, what)


def milliseconds(seconds: Seconds, what: str) -> int:
    return _whole(seconds, 1_000, what)
