# expects: nonsense
# It sends bytes that are not text.
for _ask in asks():
    write(bytes(range(1, 256)) + b"\n")
