"""Queries and computations for the pages and files about leagues and ladders."""
