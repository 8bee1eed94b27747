import { ProtocolCode, ProtocolError } from "../errors.ts";

export const invalid = ProtocolCode.INVALID_PARAMS;
export const thrown = () => ProtocolError.invalidParams();
export const wrong = -32602; // finds EG905
export const ours = -32001;
export const told = { error: { code: -32099, message: "x" } }; // finds EG902
