# expects: timeout
# detail: asleep
import time

for _ask in asks():
    time.sleep(3600 if _ask["id"] > 1 else 0)
    answer(_ask)
