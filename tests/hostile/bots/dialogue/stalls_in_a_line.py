# expects: timeout
# detail: asleep
# It begins a line and does not end it.
for _ask in asks():
    write('{"id": 1, "choose"')
