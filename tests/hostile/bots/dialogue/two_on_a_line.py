# expects: nonsense
# detail: JSON
# It answers twice on one line.
for _ask in asks():
    write('{"id": %d, "choose": 0}{"id": 2, "choose": 0}\n' % _ask["id"])
