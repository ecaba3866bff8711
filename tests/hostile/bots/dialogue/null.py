# expects: nonsense
# detail: object
# It sends null.
for _ask in asks():
    write("null\n")
