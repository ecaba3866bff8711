# expects: answers
# It repeats all its earlier answers before each new one.
for _ask in asks():
    write("".join('{"id": %d, "choose": 0}\n' % number for number in range(_ask["id"] + 1)))
