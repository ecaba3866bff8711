# expects: timeout|crash
import threading

for _ask in asks():
    threading.Lock().acquire()
    threading.Event().wait()
