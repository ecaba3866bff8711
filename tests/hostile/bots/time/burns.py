# expects: timeout
# detail: of computing
for _ask in asks():
    while True:
        pass
