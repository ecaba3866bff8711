# expects: nonsense
# It chooses a number that would take all memory to write out.
for _ask in asks():
    write('{"id": %d, "choose": 1E400000000}\n' % _ask["id"])
