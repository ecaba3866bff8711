# expects: crash|timeout
# It closes stdout and keeps running.
import time

for _ask in asks():
    os.close(1)
    time.sleep(3600)
