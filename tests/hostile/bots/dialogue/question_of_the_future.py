# expects: nonsense
# detail: not yet asked
# It answers a question that was not asked yet.
for _ask in asks():
    write('{"id": %d, "choose": 0}\n' % (_ask["id"] + 1))
