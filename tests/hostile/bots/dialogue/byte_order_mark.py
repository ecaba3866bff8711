# expects: nonsense
# detail: JSON
# It begins its output with a byte order mark.
for _ask in asks():
    write(b'\xef\xbb\xbf{"id": %d, "choose": 0}\n' % _ask["id"])
