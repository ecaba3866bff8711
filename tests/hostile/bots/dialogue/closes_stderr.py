# expects: answers
# It closes stderr and answers well.
for _ask in asks():
    if _ask["id"] == 1:
        os.close(2)
    answer(_ask)
