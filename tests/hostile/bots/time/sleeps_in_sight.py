# expects: timeout
# detail: asleep
import os
import time


def linger(seconds):
    """Sleep, but write to stderr and compute whenever the worker may look, as if no processor were free."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(0.017)
        os.write(2, b".")
        work_until = time.perf_counter() + 0.001
        while time.perf_counter() < work_until:
            pass


for _ask in asks():
    linger(60)
    answer(_ask, "BREACH slept a minute")
