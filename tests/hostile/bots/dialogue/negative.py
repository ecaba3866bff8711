# expects: nonsense
# detail: choose is -1
# It counts from the end, as Python does.
for _ask in asks():
    write('{"id": %d, "choose": -1}\n' % _ask["id"])
