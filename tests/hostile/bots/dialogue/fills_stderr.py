# expects: answers
# It writes far more to stderr than is stored, and answers well.
for _ask in asks():
    os.write(2, b"y" * 300_000)
    answer(_ask)
