"""HdrHistogram's log read without HdrHistogram, so that a merged result is compared with something that shares no code with it."""

from __future__ import annotations

import base64
import collections
import math
import struct
import zlib
from pathlib import Path

SUB_BUCKETS = 2048
"""For three significant digits: twice 1,000, up to a power of two."""


class Histogram:
    """How many samples are in each bucket, of all that was added."""

    def __init__(self) -> None:
        self.counts: collections.Counter[int] = collections.Counter()

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    def add_log(self, file: Path, kind: str) -> None:
        """Adds all histograms of a kind, whatever their phase and operation."""
        for line in file.read_text().splitlines():
            if line.startswith("Tag=") and line.partition(",")[0].endswith(f"/{kind}"):
                self._add(base64.b64decode(line.rpartition(",")[2]))

    def _add(self, compressed: bytes) -> None:
        encoded = zlib.decompress(compressed[8:])
        _, length, _, digits = struct.unpack(">4i", encoded[:16])
        if digits != 3:
            raise AssertionError(f"{digits} significant digits")
        index = shift = value = 0
        for byte in encoded[40:40 + length]:
            value |= (byte & (0xFF if shift == 56 else 0x7F)) << shift
            shift += 7
            if byte & 0x80 and shift < 63:
                continue
            count = value >> 1 ^ -(value & 1)
            if count < 0:
                index -= count
            else:
                self.counts[index] += count
                index += 1
            shift = value = 0

    def percentile(self, share: float) -> float:
        """The highest value of the bucket that holds it, in milliseconds; those of the log are in nanoseconds."""
        wanted = max(1, math.ceil(self.total * share / 100))
        for index in sorted(self.counts):
            wanted -= self.counts[index]
            if wanted <= 0:
                return _highest(index) / 1e6
        raise AssertionError("no samples")


def _highest(index: int) -> int:
    half = SUB_BUCKETS // 2
    bucket, sub = index // half - 1, index % half + half
    if bucket < 0:
        bucket, sub = 0, index
    return ((sub + 1) << bucket) - 1
