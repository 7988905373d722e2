#!/usr/bin/env python3
"""
Namespaces of Linux, for what plays several machines on one: networks of their own, and clocks that are ahead.

    namespaces.py NANOS COMMAND…    runs a command whose monotonic clock is so many nanoseconds ahead; it ends with this one
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path

INSIDE = "OWN_NAMESPACES"
"""Set within namespaces of our own: to root or user, by who made them. Not an option of Phaseload, which warns of unknown ones."""

_LIBC = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWTIME = 0x80
_PR_SET_PDEATHSIG = 1


class Impossible(Exception):
    """Something that this machine doesn't allow."""


def sh(line: str) -> None:
    subprocess.run(["sh", "-ec", line], check=True)


def _own() -> list[str]:
    """Words that start a command in a network of its own; none if this machine can't."""
    try:
        for words in (["unshare", "-nm"], ["unshare", "-Urnm"]):
            own = [*words, "--propagation", "private"]
            if not subprocess.run([*own, "unshare", "-T", "ip", "link"], capture_output=True, check=False).returncode:
                return own
    except OSError:
        pass
    return []


def possible() -> bool:
    """Whether enter() can."""
    return INSIDE in os.environ or bool(_own())


def enter(command: list[str]) -> bool:
    """Goes on as this command in a network of its own; false if this machine can't, true if it has."""
    if INSIDE in os.environ:
        return True
    own = _own()
    if not own:
        return False
    sys.stdout.flush()
    os.execvpe(own[0], [*own, *command], os.environ | {INSIDE: "user" if "-Urnm" in own else "root"})


def make_room() -> None:
    """Once inside: a place for the names of networks, and a loopback."""
    sh("mount -t tmpfs none /run && mkdir /run/netns && ip link set lo up")


def end_with(parent: int) -> None:
    """In a new process, on Linux: it is killed when the one that started it ends, and ends now if that has happened already."""
    if sys.platform == "linux":
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)


def ahead(nanos: int, command: list[str]) -> list[str]:
    """The same command with a clock that is ahead."""
    return [sys.executable, __file__, str(nanos), *command]


def _run_ahead(nanos: int, command: list[str]) -> int:
    # A time namespace is for children, and has its offset before the first one.
    if _LIBC.unshare(_CLONE_NEWTIME) != 0:
        raise OSError(ctypes.get_errno(), "unshare")
    Path("/proc/self/timens_offsets").write_text(f"monotonic {nanos // 10**9} {nanos % 10**9}\n")
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        end_with(parent)
        os.execvp(command[0], command)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    sys.exit(_run_ahead(int(sys.argv[1]), sys.argv[2:]))
