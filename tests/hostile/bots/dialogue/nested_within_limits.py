# expects: nonsense
# It nests as many lists as fit into a line.
for _ask in asks():
    write('{"id": %d, "x": %s0%s, "choose": 0}\n' % (_ask["id"], "[" * 2000, "]" * 2000))
