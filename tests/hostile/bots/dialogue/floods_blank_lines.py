# expects: nonsense
# It prints empty lines without end.
for _ask in asks():
    while True:
        write(b"\n" * 60_000)
