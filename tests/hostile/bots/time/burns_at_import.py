# expects: timeout
# detail: of computing
while True:
    pass
