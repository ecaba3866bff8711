# expects: held
@attempt
def keep():
    """Store 32 MiB in an in-memory file, which no memory limit counts."""
    descriptor = syscall("memfd_create", b"x", 0)
    return sum(os.write(descriptor, bytes(1 << 20)) for _ in range(32))
