# expects: crash
# detail: SyntaxError
# It is no Python at all.
for _ask in asks() this is no Python
