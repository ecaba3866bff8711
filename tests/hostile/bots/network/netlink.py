# expects: held
@attempt
def make():
    """Request the routes of the kernel by netlink."""
    import socket

    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as kernel:
        kernel.bind((0, 0))
        return kernel.getsockname()
