# expects: nonsense
# detail: object
# It sends the index alone.
for _ask in asks():
    write("0\n")
