# expects: nonsense
# detail: choose is 2
# It chooses what is not offered.
for _ask in asks():
    write('{"id": %d, "choose": 2}\n' % _ask["id"])
