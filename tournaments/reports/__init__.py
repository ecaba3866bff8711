"""Queries and computations for pages and files about leagues and ladders."""
