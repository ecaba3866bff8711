# expects: held
# pause: 400
import select
import time


def work(until_asked):
    """Compute until input arrives; return the processor time of that."""
    start = time.process_time()
    while not select.select([until_asked], [], [], 0)[0]:
        sum(range(500))
    return time.process_time() - start


spent = 0.0
for _number, _ask in enumerate(asks()):
    answer(_ask, f"BREACH computed {spent:.2f} s while the others moved" if spent > 0.05 else "held" * (_number == 2))
    spent = work(0) if _number < 2 else 0.0
