# expects: held
# control: if the kernel has it
# matches: 2
# shadows: unread
PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "unread.py")


@attempt
def remember():
    """Read a file beside the source or leave it unread: its access time tells the next match which."""
    if os.stat(PATH).st_atime_ns > os.stat(PATH).st_mtime_ns:
        return "remembered"
    open(PATH).read()
    if os.stat(PATH).st_atime_ns <= os.stat(PATH).st_mtime_ns:
        raise OSError("times of reading are not supported")
    return None
