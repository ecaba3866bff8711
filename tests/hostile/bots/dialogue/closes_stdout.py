# expects: crash|timeout
# It closes its mouth and goes on living.
import time

for _ask in asks():
    os.close(1)
    time.sleep(3600)
