"""What stands before the web application: the door of each connection, the gate of requests, the vigil over sockets."""
