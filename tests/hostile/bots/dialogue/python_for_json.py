# expects: nonsense
# detail: JSON
# It prints a dict as Python writes it.
for _ask in asks():
    write(str({"id": _ask["id"], "choose": 0}) + "\n")
