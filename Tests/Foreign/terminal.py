#!/usr/bin/env python3
"""Runs `nearby demo` on its own terminal, suspends it as Ctrl-Z does, resumes it, and interrupts it.

    terminal.py NEARBY
"""
import os
import pty
import select
import signal
import sys
import time

ENTER, LEAVE = b"\x1b[?1049h", b"\x1b[?1049l"
process, terminal = pty.fork()
if process == 0:
    # The test itself may have any terminal, or none.
    os.execve(sys.argv[1], ["nearby", "demo", "--seconds", "600"], {**os.environ, "TERM": "xterm"})


def read_until(done, what):
    seen, end = b"", time.monotonic() + 20
    while not done(seen):
        assert time.monotonic() < end, f"{what}: {seen[-200:]!r}"
        if select.select([terminal], [], [], 0.05)[0]:
            try:
                seen += os.read(terminal, 65536)
            except OSError:
                assert done(seen), f"{what}: {seen[-200:]!r}"
    return seen


read_until(lambda s: ENTER in s and b"Alice" in s, "no picture")
os.kill(process, signal.SIGTSTP)
assert os.WIFSTOPPED(os.waitpid(process, os.WUNTRACED)[1])
seen = read_until(lambda s: LEAVE in s, "the shell gets no clean terminal")
assert ENTER not in seen.split(LEAVE)[-1]
os.kill(process, signal.SIGCONT)
read_until(lambda s: ENTER in s and b"Alice" in s, "no picture afterwards")
os.kill(process, signal.SIGINT)
read_until(lambda s: LEAVE in s, "the terminal is not put back")
assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 130
print("ok")
