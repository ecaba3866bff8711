# expects: held
@attempt
def send():
    """Send a datagram to a port of the machine."""
    import socket

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams:
        return datagrams.sendto(b"x", ("127.0.0.1", HINTS["udp"]))
