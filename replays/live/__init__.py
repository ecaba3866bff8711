"""What watchers hold on to: their sockets, and the halls in which those of one match are told together."""
