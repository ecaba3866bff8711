# expects: timeout
# detail: asleep
import time

time.sleep(3600)
serve(str)
