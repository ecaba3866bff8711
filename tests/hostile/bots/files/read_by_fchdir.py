# expects: held
@attempt
def read():
    """Leave its own folder by changing the current folder step by step."""
    for _ in range(40):
        os.chdir("..")
    return open("etc/group").read(20)
