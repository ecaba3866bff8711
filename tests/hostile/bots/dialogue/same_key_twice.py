# expects: nonsense
# It chooses both: readers differ about which one counts.
for _ask in asks():
    write('{"id": %d, "choose": 7, "choose": 0}\n' % _ask["id"])
