// A component: attributes are codes, and what a module exports by default is followed.
import Given from "./given";

export const Page = ({ error }: any) => (
  <Failure code={4001} title="TIMEOUT" size={4001} error={error.code ?? 4001}>{/* finds EG905 EG905 */}
    <Failure errorCode="TIMEOUT" text={Given.NOTHING} />{/* finds EG905 EG901 */}
  </Failure>
);
const postCode = 4001;
assert.throws(error, 4001);
