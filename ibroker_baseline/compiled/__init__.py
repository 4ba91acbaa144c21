"""The same algorithm over flat arrays: entries as numbers, and numba loops that follow the chains.

`columns` lays chains out, `kernel` follows them, `index` is both seen from Python.
"""
