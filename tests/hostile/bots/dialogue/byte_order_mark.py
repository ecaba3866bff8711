# expects: nonsense
# detail: JSON
# It begins with the mark of another program.
for _ask in asks():
    write(b'\xef\xbb\xbf{"id": %d, "choose": 0}\n' % _ask["id"])
