# expects: nonsense
# detail: utf-8
# Its note writes a slash in two bytes, as no UTF-8 may.
for _ask in asks():
    write(b'{"id": %d, "choose": 0, "note": "\xc0\xaf"}\n' % _ask["id"])
