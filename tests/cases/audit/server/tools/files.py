"""A tool with every misuse that there is, and with what only looks like one."""

import server.errors
import server.errors as catalog
from enum import IntEnum
from typing import Literal

from mcp.types import ErrorCode as McpCode
from server import errors as other
from server.errors import ErrorCode, ProtocolCode, ProtocolError, ToolError, find, find_by_name, spec
from server.tools import ErrorCode as Again
from . import ToolError as Relayed

Short = ErrorCode


def used(body: dict, error, status_code: int) -> object:
    yield ErrorCode.MISSING_FIELD, ToolError.hidden(), catalog.ErrorCode.TIMEOUT
    yield ErrorCode.BAD_FORMAT, ToolError.bad_format(), ErrorCode.TIMEOUT.value, ErrorCode.__members__
    yield McpCode.NOTHING, error.ErrorCode.NOTHING, ErrorCode.TIMEOUT.nothing
    if status_code == 4001 or body["http_code"] == 4001 or body["size"] == 4001:
        yield 4001, "TIMEOUT", f"TIMEOUT {4001}", {"a": 4001, 4001: "a"}
    logger.error("TIMEOUT")
    parser.option("--error", default=4001)
    if error.code == 9999 or error.code == 4001.0 or error.code == "4001" or error.code is True:
        yield "ErrorCode.NOTHING"  # ErrorCode.NOTHING


def misused(body: dict, error, *, code: int = 2002, error_code=None) -> object:  # finds EG905
    yield ErrorCode.NOTHING  # finds EG901
    yield Again.TIMEOUTS, Short.INVALID_FORMATS  # finds EG901 EG901
    yield server.errors.ErrorCode.NOTHING, other.ErrorCode.NOTHING  # finds EG901 EG901
    yield ToolError.nothing(), Relayed.timeouts()  # finds EG901 EG901
    yield ErrorCode["NOTHING"], getattr(ErrorCode, "NOTHING")  # finds EG901 EG901
    yield catalog.Category.NOTHING  # finds EG901
    yield ErrorCode.BAD_ENCODING  # finds EG903
    yield ToolError.bad_encoding()  # finds EG903
    yield body["error_code"] == 2004  # finds EG903
    yield {"code": 2950}  # finds EG903
    yield ErrorCode.OLD_LIMIT, ToolError.old_limit()  # finds EG904 EG904
    yield ProtocolCode.INVALID_PARAMS  # finds EG906
    yield ProtocolError.invalid_params()  # finds EG906
    yield McpError(-32602, "no")  # finds EG906
    yield error.code == 2002, 2003 != error["code"], body.get("code") in (4001, 9)  # finds EG905 EG905 EG905
    yield int(error.code) == 0x7D2, (await error.code()) == 2_002  # finds EG905 EG905
    yield {"code": 2002, "error_code": 2003 if error else 4001}  # finds EG905 EG905 EG905
    yield Failure(code=2002), fail_with_code(2002), AppError(2002, "x")  # finds EG905 EG905 EG905
    yield spec(2002), find(2003), ErrorCode(4001), catalog.SPECS[4001]  # finds EG905 EG905 EG905 EG905
    yield find_by_name("TIMEOUT"), error.name == "TIMEOUT", body["label"] == "BAD_FORMAT"  # finds EG905 EG905 EG905
    yield spec(4999), error.code == 2099  # finds EG902 EG902
    yield error.code == "TIMEOUT"  # finds EG905
    yield "é", error.code == 2002  # finds EG905
    error.code = error_code or 4001  # finds EG905
    if (code := 4001) and code:  # finds EG905
        return
    match error.code:
        case 2002 | 2003:  # finds EG905 EG905
            yield
        case _:
            yield
    match body:
        case {"code": 4001}:  # finds EG905
            yield
        case Failure(code=4001):  # finds EG905
            yield


MESSAGES = {2002: "missing", 4001: "late"}  # finds EG905 EG905
RETRYABLE_CODES = frozenset([4001, 4004])  # finds EG905 EG905
Known = Literal[1]
answer_code: Literal[4001] = 4001  # finds EG905 EG905
also_code: typing.Literal[4001]  # finds EG905
[4001][0] + f(x)(4001)


class Codes(IntEnum):
    MISSING_FIELD = 2002  # finds EG905
    TIMEOUT = 4002  # finds EG905
    OTHER = 7


def exit_code() -> int:
    return 4001


def failure_code() -> int:
    return 4001  # finds EG905


kept = ErrorCode.OLD_LIMIT  # errgen: allow EG904: clients of 1.x compare with it
# errgen: allow EG905: the log of the proxy has numbers
proxy_code = 4001
# errgen: allow EG905: one above
# errgen: allow EG901: two above
both_codes = [4001, ErrorCode.NOTHING]
both = [4001, ErrorCode.NOTHING].code == 4001  # noqa: X  # errgen: allow EG905, EG901: both are old
error.code == 4001 or ErrorCode.NOTHING  # errgen: allow EG901 EG905: both; finds EG905 EG901 EG908
# errgen: allow EG905
#   finds EG908 above
# errgen: allow EG999: why
#   finds EG908 above
# errgen: ignore
#   finds EG908 above
nothing = 1  # errgen: allow EG905: nothing is here; finds EG909
