# expects: nonsense
# detail: utf-8
# Its note encodes a slash in two bytes, which UTF-8 forbids.
for _ask in asks():
    write(b'{"id": %d, "choose": 0, "note": "\xc0\xaf"}\n' % _ask["id"])
