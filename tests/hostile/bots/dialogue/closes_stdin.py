# expects: answers|timeout
# It closes stdin, and answers questions that it has not read.
for _ask in asks():
    os.close(0)
    for _number in (1, 2, 3):
        answer({"id": _number})
        break
    import time

    time.sleep(3600)
