# expects: nonsense
# detail: longer than
# It pads a valid answer with spaces.
for _ask in asks():
    write('{"id": %d, "choose": 0}%s\n' % (_ask["id"], " " * 5000))
