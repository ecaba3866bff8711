# expects: nonsense
# Its note is half a character, which a database refuses later.
for _ask in asks():
    write('{"id": %d, "choose": 0, "note": "\\ud800"}\n' % _ask["id"])
