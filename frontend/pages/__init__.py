"""The pages: each reads an address, asks the queries for one thing and shows it."""
