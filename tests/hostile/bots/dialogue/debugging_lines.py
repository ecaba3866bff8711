# expects: nonsense
# detail: JSON
# It prints what it thinks, where answers belong.
for _ask in asks():
    write('thinking...\n{"id": %d, "choose": 0}\n' % _ask["id"])
