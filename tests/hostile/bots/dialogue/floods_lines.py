# expects: nonsense
# detail: JSON
# It prints lines that are not answers, without end.
for _ask in asks():
    while True:
        write(b"hello\n" * 10_000)
