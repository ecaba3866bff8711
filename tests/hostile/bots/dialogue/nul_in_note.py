# expects: answers
# Its note holds an escaped NUL, which is made printable before it is kept.
for _ask in asks():
    write('{"id": %d, "choose": 0, "note": "\\u0000"}\n' % _ask["id"])
