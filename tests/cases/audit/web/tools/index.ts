export { ErrorCode as Renamed, ToolError } from "../errors.js";
export * as everything from "../errors";
export * from "./more";
