# expects: nonsense
# detail: not yet asked
# It answers before the first question.
write('{"id": 2, "choose": 0}\n')
serve(str)
