// A tool with every misuse that there is, and with what only looks like one.
import { ErrorCode as McpCode } from "@modelcontextprotocol/sdk/types.js";
import fallback, { type ErrorSpec } from "../errors.ts";
import * as everything from "../errors.js";
import { ErrorCode, ProtocolCode, ProtocolError, ToolError, find, findByName, isErrorCode, spec, errorSpecs } from "../errors.ts";
import type { Category } from "../errors.ts";
import { ErrorCode as Published } from "@acme/errors";
import { ErrorCode as Aliased } from "@/web/errors";
import { Renamed, More, everything as all } from "./index";
import { Renamed as Folder } from "../tools";

const Short = ErrorCode;
const { MISSING_FIELD, NOTHING } = ErrorCode; // finds EG901
const { ErrorCode: Required } = require("../errors.js");

export function used(body: any, error: any, statusCode: number, logger: Console) {
  const fine = [ErrorCode.MISSING_FIELD, ToolError.hidden(), all.ErrorCode.TIMEOUT, ErrorCode.BAD_FORMAT];
  const foreign = [fallback.NOTHING, McpCode.NOTHING, error.ErrorCode.NOTHING, ErrorCode.hasOwnProperty("x"), ToolError.name];
  if (statusCode === 4001 || body.http_code === 4001 || body.size === 4001) return [4001, "TIMEOUT", `TIMEOUT ${4001}`];
  console.error("TIMEOUT");
  logger.error("TIMEOUT");
  if (error.code === 9999 || error.code === 4001.5 || error.code === "4001") return "ErrorCode.NOTHING"; // ErrorCode.NOTHING
  return { a: 4001, 4001: "a", fine, foreign, text: "error.code === 4001 // 'x'", re: /error.code === 4001/ };
}

export function* misused(body: any, error: any, code = 2002, error_code?: number) { // finds EG905
  yield ErrorCode.NOTHING; // finds EG901
  yield Folder.NOTHING; // finds EG901
  yield [Renamed.TIMEOUTS, Short.INVALID_FORMATS, More.NOTHING, Required.NOTHING]; // finds EG901 EG901 EG901 EG901
  yield [everything.ErrorCode.NOTHING, all.ErrorCode.NOTHING, Published.NOTHING, Aliased.NOTHING]; // finds EG901 EG901 EG901 EG901
  yield [ToolError.nothing(), ToolError.timeouts()]; // finds EG901 EG901
  yield [ErrorCode["NOTHING"], ErrorCode?.NOTHING, (ErrorCode as any).NOTHING]; // finds EG901 EG901 EG901
  yield everything.Category.NOTHING; // finds EG901
  yield ErrorCode.BAD_ENCODING; // finds EG903
  yield ToolError.badEncoding(); // finds EG903
  yield body["error_code"] === 2004; // finds EG903
  yield { code: 2950 }; // finds EG903
  yield [ErrorCode.OLD_LIMIT, ToolError.oldLimit()]; // finds EG904 EG904
  yield ProtocolCode.INVALID_PARAMS; // finds EG906
  yield ProtocolError.invalidParams(); // finds EG906
  yield new McpError(-32602, "no"); // finds EG906
  yield error.code === 2002 || 2003 !== error["code"] || [4001, 9].includes(body?.error!.code); // finds EG905 EG905 EG905
  yield Number(error.code) == 0x7d2 || (await error.code()) === 2_002; // finds EG905 EG905
  yield { code: 2002, error_code: error ? 2003 : 4001, "code": -32602 }; // finds EG905 EG905 EG905 EG906
  yield [fail({ code: 2002 }), failWithCode(2002), new AppError(2002, "x")]; // finds EG905 EG905 EG905
  yield [spec(2002), find(2003), isErrorCode(4001), errorSpecs[4001]]; // finds EG905 EG905 EG905 EG905
  yield [findByName("TIMEOUT"), error.name === "TIMEOUT", body.label === `BAD_FORMAT`]; // finds EG905 EG905 EG905
  yield [spec(4999), error.code === 2099]; // finds EG902 EG902
  yield error.code === "TIMEOUT"; // finds EG905
  yield ["é", error.code === 2002]; // finds EG905
  error.code = error_code ?? 4001; // finds EG905
  error.code = 4001 as ErrorCode; // finds EG905
  ({ code = 4001 } = body); // finds EG905
  switch (error.code) {
    case 2002: // finds EG905
    case 2003: // finds EG905
      break;
  }
  if (new Set([4001]).has(error.code)) return; // finds EG905
}

const messages: Record<number, string> = { 2002: "missing", [4001]: "late" }; // finds EG905 EG905
const retryableCodes = new Set([4001, 4004]); // finds EG905 EG905
const exitCode = 4001;
[4001].join(error.code), [4001].map(f), f(x)(4001);
const loaded = require(name), bare = require();
interface Failure {
  code: 2002 | 2003; // finds EG905 EG905
  size: 4001;
}
enum Codes {
  MISSING_FIELD = 2002, // finds EG905
  TIMEOUT = 4002, // finds EG905
  OTHER = 7,
}
class Problem {
  static readonly code = 4001; // finds EG905
}
type Late = typeof ErrorCode.NOTHING; // finds EG901

const kept = ErrorCode.OLD_LIMIT; // errgen: allow EG904: clients of 1.x compare with it
/* errgen: allow EG905: the log of the proxy has numbers */
const proxyCode = 4001;
// errgen: allow EG905
//   finds EG908 above
const nothing = 1; // errgen: allow EG905: nothing is here; finds EG909
