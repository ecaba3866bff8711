# expects: nonsense|timeout
# It sends the answers to all questions at once.
for _ask in asks():
    write("".join('{"id": %d, "choose": 0}\n' % number for number in range(1, 100)))
    for _ask in asks():
        pass
