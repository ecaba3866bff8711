# expects: nonsense
# detail: float
# It chooses between two items.
for _ask in asks():
    write('{"id": %d, "choose": 0.5}\n' % _ask["id"])
