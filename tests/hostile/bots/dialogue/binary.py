# expects: nonsense
# It sends bytes that are no text at all.
for _ask in asks():
    write(bytes(range(1, 256)) + b"\n")
