# expects: held
# pause: 400
import threading
import time


def work():
    """Compute without end."""
    while True:
        sum(range(500))


def start():
    """Start to compute in a second thread."""
    threading.Thread(target=work, daemon=True).start()
    return ""


_said, _before = outcome(start), time.process_time()
for _number, _ask in enumerate(asks()):
    _spent = time.process_time() - _before
    answer(_ask, f"BREACH computed {_spent:.2f} s" if _number and _spent > 0.1 else _said)
