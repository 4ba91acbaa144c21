"""The loops over the frozen index, compiled by numba: a publication goes in, the numbers of queries come out.

Everything is a flat array. Nothing is cleared between publications: what was seen is stamped with a serial number,
which grows. Lists have a fixed capacity; where one overflows the kernel says so, and is called again with more.

`publications` → `triples` → `texts`, `values` → `forest` → `alternatives` is the way of a publication; `dictionary`
tells the symbols of its terms and words, `arrays` what all of them read and write.
"""
