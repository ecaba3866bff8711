# expects: timeout
# detail: asleep
import os
import time

for _ask in asks():
    while True:
        os.write(1, b" ")
        end = time.perf_counter() + 0.005
        while time.perf_counter() < end:
            pass
        time.sleep(0.015)
