# expects: nonsense
# Its note contains an unescaped control character.
for _ask in asks():
    write(b'{"id": %d, "choose": 0, "note": "\x01"}\n' % _ask["id"])
