import { ErrorCode } from "../errors.ts";
export default ErrorCode;
