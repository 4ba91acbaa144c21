"""Rows are distributed over buckets and publications are found again, wherever batches end and however hashes collide."""
