# expects: nonsense
# It answers question 2**70.
for _ask in asks():
    write('{"id": 1180591620717411303424, "choose": 0}\n')
