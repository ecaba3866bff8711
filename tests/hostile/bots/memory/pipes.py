# expects: held
@attempt
def keep():
    """Store 8 MiB in the buffers of pipes, which no memory limit counts."""
    import fcntl

    kept = 0
    for _ in range(8):
        _, end = os.pipe()
        fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, 1 << 20)
        kept += os.write(end, bytes(1 << 20))
    return kept >= 8 << 20 and f"{kept} bytes in pipes"
