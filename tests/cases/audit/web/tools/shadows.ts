// Names that are imported, and that functions and blocks give to something else.
import * as errors from "../errors.ts";
import { ErrorCode, find, spec } from "../errors.ts";

const given = (errors: any, { ErrorCode, a: [find = 1] }: any, ...spec: any) =>
  [errors.ErrorCode.NOTHING, ErrorCode.NOTHING, find(2002), spec(2002)];
const short = items.map(errors => errors.ErrorCode.NOTHING);
function declared(items: any[], spec?: any) {
  const { formState: { errors } } = useForm();
  for (const ErrorCode of items) ErrorCode.NOTHING;
  try {
    let ErrorCode = items[0];
    return [errors.ErrorCode.NOTHING, () => ErrorCode.NOTHING, spec(2002)];
  } catch (ErrorCode) {
    ErrorCode.NOTHING;
  }
  return [ErrorCode.NOTHING, find(2002)]; // finds EG901 EG905
}
async function own({ fallback = ErrorCode.NOTHING }) { // finds EG901
  const { ErrorCode } = await import("../errors.ts");
  return [ErrorCode.NOTHING, errors.ErrorCode.NOTHING]; // finds EG901 EG901
}
