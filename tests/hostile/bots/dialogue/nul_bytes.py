# expects: nonsense
# It sends NUL bytes.
for _ask in asks():
    write(bytes(100) + b"\n")
