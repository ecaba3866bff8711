# expects: nonsense
# Its note holds an escaped NUL, which a database refuses later.
for _ask in asks():
    write('{"id": %d, "choose": 0, "note": "\\u0000"}\n' % _ask["id"])
