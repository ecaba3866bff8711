# expects: nonsense
# It talks and never listens.
while True:
    write('{"id": 1, "choose": 9}\n' * 1000)
