# expects: nonsense
# detail: longer than
# It prints without ever ending the line.
for _ask in asks():
    while True:
        write(b"x" * 65_536)
