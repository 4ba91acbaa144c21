"""The value of an expression in a solution (SPARQL 1.1, section 17): `evaluation` walks it, the rest is what it calls.

`values` (with `numeric_values` and `temporal_values`) are what literals stand for, `operators` and `…_functions` what
can be done with them, `xpath_regex` the regular expressions of REGEX and REPLACE.
"""
