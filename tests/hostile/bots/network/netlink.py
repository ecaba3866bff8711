# expects: held
@attempt
def make():
    """Ask the kernel for its routes."""
    import socket

    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as kernel:
        kernel.bind((0, 0))
        return kernel.getsockname()
