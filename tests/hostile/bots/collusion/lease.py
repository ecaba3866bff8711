# expects: held
# control: needs root
@attempt
def talk():
    """Take a lease on a shared file, which delays every process that opens it for writing."""
    import fcntl

    with open(os.path.join(LIBRARY, "shelve.py")) as shared:
        fcntl.fcntl(shared, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(shared, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return "a lease on shelve.py"
