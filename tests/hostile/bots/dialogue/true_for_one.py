# expects: nonsense
# detail: bool
# It says true where a number is asked for.
for _ask in asks():
    write('{"id": %d, "choose": true}\n' % _ask["id"])
