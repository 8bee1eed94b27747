from ..errors import ErrorCode, ToolError
