"""The frozen index: many queries as flat arrays in one buffer, which can be a mapped file.

`columns` collects queries, `freeze` lays them out in `sections`, `rows` turns a publication into cells, `kernel`
(numba) matches those against the buffer, and `frozen` is the whole seen from Python.
"""
