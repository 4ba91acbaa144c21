"""RTF compared with IBROKER and with simpler matchers, on the same publications, after their results were found equal.

`systems` names what is compared, `agreement` holds that all give the same matches, `measure` times them in turns,
`experiments` are the figures of the paper, and `plots`, `page` and `results` tell what came out.
"""
