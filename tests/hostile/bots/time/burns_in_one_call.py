# expects: timeout
# detail: of computing
import re

for _ask in asks():
    re.match(r"(a+)+$", "a" * 64 + "b")
    answer(_ask)
