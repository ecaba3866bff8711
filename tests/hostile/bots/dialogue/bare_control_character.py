# expects: nonsense
# Its note holds a control character as it is.
for _ask in asks():
    write(b'{"id": %d, "choose": 0, "note": "\x01"}\n' % _ask["id"])
