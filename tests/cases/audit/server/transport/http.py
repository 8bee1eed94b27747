"""The transport may use codes of the protocol."""

from server import errors
from server.errors import *

INVALID = errors.ProtocolCode.INVALID_PARAMS
ALSO = ProtocolCode["INVALID_PARAMS"]
LATE = ProtocolError.invalid_params()
WRONG = -32602  # finds EG905
NOT_OURS = -32001
WIDTH = -32602.0
TELLS = {"error": {"code": -32099, "message": "x"}}  # finds EG902
