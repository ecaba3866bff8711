# expects: nonsense
# detail: float
# It chooses zero, and says it as a fraction.
for _ask in asks():
    write('{"id": %d, "choose": 0.0}\n' % _ask["id"])
