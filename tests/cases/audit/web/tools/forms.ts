// Forms in which servers, clients and their tests speak of errors.
import errors = require("../errors.ts");

errors.ErrorCode.NOTHING; // finds EG901
const errorTexts = new Map<number, string>([[2002, "missing"], [4001, "late"]]); // finds EG905 EG905
const sizes = new Map([[2002, 4001]]);
const codes = new Map([["missing", 2002]]); // finds EG905
const errorSizes = new Map([["missing", 2002]]);
const { code: other = 2002, size: length = 2002 } = body; // finds EG905
expect(error.code).toBe(2002); // finds EG905
expect(error.code).not.to.equal(2002); // finds EG905
expect(await failing()).toBe(2002);
await expect(body["code"]).resolves.toEqual(2002); // finds EG905
assert.equal(error.code, 2002); // finds EG905
assertEquals(2002, error.code); // finds EG905
assert.equal(body.size, 2002);
reply.code(4001).send({ code: 4001 }); // finds EG905
import { ErrorCode } from "../errors.ts";
const first: ErrorCode = 2002; // finds EG905
const known = [2002 as ErrorCode, 4999 satisfies ErrorCode, 2002 as Port]; // finds EG905 EG902
const code: StatusCode = 2002;
function typed(given: ErrorCode = 2002, port: Port = 4001) {} // finds EG905
class Typed { first: ErrorCode = 2002; last: number = 2002 } // finds EG905
codes.get(2002) ?? sizes.get(2002); // finds EG905
for (sizes.last of codes) (ErrorCode!).TIMEOUT.toString();
