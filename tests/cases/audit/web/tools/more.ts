import { ErrorCode } from "../errors.ts";
export { ErrorCode as More };
