# expects: held
@attempt
def read():
    """Walk out by changing the folder step by step."""
    for _ in range(40):
        os.chdir("..")
    return open("etc/group").read(20)
