# expects: nonsense
# detail: longer than
# It nests ten thousand lists.
for _ask in asks():
    write('{"id": %d, "choose": %s0%s}\n' % (_ask["id"], "[" * 10_000, "]" * 10_000))
