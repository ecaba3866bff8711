# expects: timeout
# detail: asleep
# It sends a byte now and then, so that something always comes.
import time

for _ask in asks():
    while True:
        write(" ")
        time.sleep(0.02)
