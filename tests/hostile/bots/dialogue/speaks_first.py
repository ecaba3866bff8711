# expects: nonsense
# detail: not yet asked
# It answers before it was asked anything.
write('{"id": 2, "choose": 0}\n')
serve(str)
