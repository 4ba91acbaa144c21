"""The meaning of a whole query on one publication (SPARQL 1.1, section 18).

`algebra` translates the syntax tree, `patterns` gives the solutions of an algebra with the help of `bgps` and `paths`,
`evaluator` is what others call.
"""
