"""Comments that let findings stay, wherever they stand."""


@retried(
    code=4001,  # errgen: allow EG905: the proxy counts
)
def kept(code):
    fail(
        "text",
        # errgen: allow EG905: the proxy counts,
        # as it did before
        code=4001,
        error_code=4001,  # finds EG905
    )
    fail(code=4001)  # noqa: ANY # errgen: allow EG905: the proxy counts
    fail(4001, code=4001, error=-32602)  # errgen: allow EG905: it counts # errgen: allow EG906: it sends
    fail(code=4001)  # type: ignore # errgen: allow EG904: it is another; finds EG905 EG909
    fail(text="# errgen: allow EG905: a text", code=4001)  # finds EG905
