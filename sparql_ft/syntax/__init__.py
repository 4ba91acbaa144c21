"""Text -> tokens -> the grammar's tree -> the syntax tree (`sparql_ft.nodes`), and back to text.

`lexer`, `grammar` and `builder` (with `triple_builder` and `ft_builder`) are the three steps, `parser` takes them;
`diagnosis` says why a text is no query, with the help of `unsupported` and `hints`; `printer` is the way back, and
`written_out` keeps that way short.
"""
