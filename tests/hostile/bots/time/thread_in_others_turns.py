# expects: held
# pause: 200
import threading
import time


def work():
    """Compute for ever."""
    while True:
        sum(range(500))


def start():
    """Start to compute in a second thread."""
    threading.Thread(target=work, daemon=True).start()
    return ""


_said = [outcome(start)]
for _number, _ask in enumerate(asks()):
    answer(_ask, f"BREACH computed {_spent:.2f} s" if _number and (_spent := time.process_time()) > 0.3 else _said[0])
