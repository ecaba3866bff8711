# expects: timeout
# detail: of computing
for _ask in asks():
    while _ask["id"] > 1:
        pass
    answer(_ask)
