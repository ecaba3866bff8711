# expects: nonsense
# detail: JSON
# It prints debugging output to stdout.
for _ask in asks():
    write('thinking...\n{"id": %d, "choose": 0}\n' % _ask["id"])
