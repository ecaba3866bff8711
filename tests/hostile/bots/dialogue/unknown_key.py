# expects: nonsense
# It says more than was asked.
for _ask in asks():
    write('{"id": %d, "choose": 0, "mood": "good"}\n' % _ask["id"])
