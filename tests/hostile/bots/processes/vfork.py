# expects: held
@attempt
def multiply():
    """Start a program by vfork or posix_spawn, which forks by another system call."""
    return os.posix_spawn(sys.executable, [sys.executable, "-c", ""], {})
