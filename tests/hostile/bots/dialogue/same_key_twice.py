# expects: nonsense|answers
# It chooses both: the last one counts, or none, but never the first.
for _ask in asks():
    write('{"id": %d, "choose": 7, "choose": 0}\n' % _ask["id"])
