# expects: nonsense
# detail: flooded
# It fills stderr without end, and does not answer.
for _ask in asks():
    while True:
        os.write(2, b"y" * 65_536)
