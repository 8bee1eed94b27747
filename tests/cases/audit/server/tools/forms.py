"""Forms in which servers and their tests speak of errors."""

import dataclasses
import importlib
from dataclasses import dataclass, field

from server.errors import ErrorCode

Typed: type[ErrorCode] = ErrorCode
loaded = importlib.import_module("server.errors")


@dataclass
class Failure:
    code: int = field(default=2002)  # finds EG905
    error_code: int = dataclasses.field(default=2002)  # finds EG905
    size: int = field(default=2002)


def test_failures(self, error, status):
    yield Typed.NOTHING, loaded.ErrorCode.NOTHING  # finds EG901 EG901
    if (Walrus := ErrorCode) and Walrus.NOTHING:  # finds EG901
        yield
    self.assertEqual(error.code, 2002)  # finds EG905
    self.assertIn(error.code, [2002, 2003])  # finds EG905 EG905
    self.assertEqual(2002, error["code"])  # finds EG905
    self.assertEqual(status, 2002)
    yield 2000 <= error.code < 3000, 2002 <= error.code <= 2006, error.code >= 4001
    yield error.code == 2006, ErrorCode.OLD_LIMITS  # finds EG905 EG901
    yield len(codes) == 2002, sum(errors) == 2002, int(error.code) == 2002  # finds EG905
    self.assertRaises(Error, f, 2002)
    tax_code, coupon_code = 2002, 2002
    post_code = 2002


first: ErrorCode = 2002  # finds EG905
http: StatusCode = 2002
code: StatusCode = 2002


def typed(given: ErrorCode = 2002, *, other: "ErrorCode" = 2002, last: ErrorCode = 4001):  # finds EG905 EG905
    pass
