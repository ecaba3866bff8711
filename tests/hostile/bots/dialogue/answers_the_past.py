# expects: timeout
# detail: asleep
# It always answers the previous question; each answer is dropped.
for _ask in asks():
    write('{"id": %d, "choose": 0}\n' % (_ask["id"] - 1))
