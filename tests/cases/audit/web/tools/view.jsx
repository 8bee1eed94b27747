const { ErrorCode } = require("../errors");
export const View = ({ error }) => <p title="TIMEOUT">{error.code === 2002 ? ErrorCode.NOTHING : 4001}</p>; // finds EG905 EG901
