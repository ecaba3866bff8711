# expects: nonsense
# It chooses a number past all numbers.
for _ask in asks():
    write('{"id": %d, "choose": 1e999}\n' % _ask["id"])
