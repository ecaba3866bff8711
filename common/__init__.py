"""What serves every app: lists in pieces, what an address may ask and how often, commands, the bell for a worker."""
