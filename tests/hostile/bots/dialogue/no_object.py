# expects: nonsense
# detail: object
# It sends a list.
for _ask in asks():
    write("[%d, 0]\n" % _ask["id"])
