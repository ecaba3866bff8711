# expects: nonsense
# detail: bool
# It says true for the question's number.
for _ask in asks():
    write('{"id": true, "choose": 0}\n')
