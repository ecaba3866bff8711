# expects: timeout|nonsense
# It answers an earlier question, without end: each answer is dropped.
for _ask in asks():
    while True:
        write('{"id": 0, "choose": 0}\n' * 1000)
