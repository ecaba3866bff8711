# expects: timeout
# detail: asleep
import time

for _ask in asks():
    time.sleep(3600)
