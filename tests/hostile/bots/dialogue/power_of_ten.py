# expects: nonsense
# detail: float
# It chooses zero in scientific notation.
for _ask in asks():
    write('{"id": %d, "choose": 0e0}\n' % _ask["id"])
