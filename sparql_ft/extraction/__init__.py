"""Queries -> tuples: what a publication must hold for a query to match, so that an index can find the query by it.

`queries` collects `ways` from a whole query with the help of `optionals`, `filters` and `paths`; `tuples` is the
result, and `cover` the words that the full text of a tuple requires.
"""
