# expects: held
@attempt
def keep():
    """Keep 32 MiB in a file of memory, which no limit of memory counts."""
    descriptor = syscall("memfd_create", b"x", 0)
    return sum(os.write(descriptor, bytes(1 << 20)) for _ in range(32))
