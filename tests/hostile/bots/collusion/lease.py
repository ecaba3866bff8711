# expects: held
# control: needs root
@attempt
def talk():
    """Take a lease on a shared file, which whoever opens it for writing must wait for."""
    import fcntl

    with open(os.path.join(LIBRARY, "shelve.py")) as shared:
        fcntl.fcntl(shared, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(shared, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return "a lease on shelve.py"
