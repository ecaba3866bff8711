# expects: nonsense
# detail: choose
# It answers with nothing.
for _ask in asks():
    write('{"id": %d}\n' % _ask["id"])
