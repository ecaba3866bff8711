# expects: nonsense
# detail: longer than
# It answers well, in a line of five thousand bytes.
for _ask in asks():
    write('{"id": %d, "choose": 0, "note": "%s"}\n' % (_ask["id"], "x" * 5000))
