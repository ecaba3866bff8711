# expects: nonsense
# detail: utf-8
# Its note is not UTF-8.
for _ask in asks():
    write(b'{"id": %d, "choose": 0, "note": "\xff\xfe"}\n' % _ask["id"])
