# expects: nonsense
# detail: JSON
# It chooses the number that is none.
for _ask in asks():
    write('{"id": %d, "choose": NaN}\n' % _ask["id"])
