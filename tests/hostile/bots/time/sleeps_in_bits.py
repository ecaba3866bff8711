# expects: timeout
# detail: asleep
import time

for _ask in asks():
    while True:
        time.sleep(0.001)
