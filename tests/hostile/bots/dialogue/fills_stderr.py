# expects: answers
# It fills stderr far past what is kept, and answers well.
for _ask in asks():
    os.write(2, b"y" * 300_000)
    answer(_ask)
