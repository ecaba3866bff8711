# expects: nonsense
# detail: note
# Its note is a number.
for _ask in asks():
    write('{"id": %d, "choose": 0, "note": 7}\n' % _ask["id"])
