# expects: nonsense
# It sends an empty line before the answer.
for _ask in asks():
    write('\n{"id": %d, "choose": 0}\n' % _ask["id"])
