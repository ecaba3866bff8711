# expects: nonsense
# It writes and never reads.
while True:
    write('{"id": 1, "choose": 9}\n' * 1000)
