"""Names that are imported, and that functions give to something else."""

from server import errors
from server.errors import ErrorCode, find, spec


def given(errors, ErrorCode, *, spec=None):
    return errors.ErrorCode.NOTHING, ErrorCode.NOTHING, spec(2002), getattr(ErrorCode, "NOTHING")


def assigned(items):
    errors = validate(items)
    for ErrorCode in items:
        yield errors.ErrorCode.NOTHING, ErrorCode.NOTHING

    def inner():
        return errors.ErrorCode.NOTHING

    yield inner, [find(2002) for find in items], lambda find: find(2002)


def caught(body):
    try:
        match body:
            case {"a": ErrorCode}:
                return ErrorCode.NOTHING
    except ValueError as errors:
        return errors.ErrorCode.NOTHING


def own():
    Short = errors.ErrorCode
    ErrorCode: type = errors.ErrorCode
    return Short.NOTHING, ErrorCode.NOTHING, [find(2002) for other in ()]  # finds EG901 EG901 EG905


def other(Short):
    return Short.NOTHING, errors.ErrorCode.NOTHING  # finds EG901
