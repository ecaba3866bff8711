# expects: nonsense
# It chooses a number of four thousand digits.
for _ask in asks():
    write('{"id": %d, "choose": %s}\n' % (_ask["id"], "9" * 4000))
