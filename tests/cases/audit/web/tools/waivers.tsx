// Comments that let findings stay, wherever they stand.
export const View = ({ error }: any) => (
  <p>
    {/* errgen: allow EG905: the proxy counts */}
    {error.code === 4001}
    {error.code === 4001 /* errgen: allow EG905: the proxy counts */}
    {
      // errgen: allow EG905: the proxy counts
      error.code === 4001
    }
    {error.code === 4001 /* finds EG905 */}
  </p>
);
/* errgen: allow EG905: the proxy counts,
   as it did before */
const proxyCode = 4001;
/**
 * errgen: allow EG905: the proxy counts
 */
const serverCode = 4001;
// errgen: allow EG905: the proxy counts
// as it did before
const clientCode = 4001;
/* errgen: allow EG905: the proxy counts */ const innerCode = 4001;
const outerCode = 4001; // finds EG905
fail({ code: 4001 /* errgen: allow EG905: it counts */, error: -32602 /* errgen: allow EG906: it sends */ });
fail({ code: 4001 }); // eslint-disable-line // errgen: allow EG905: the proxy counts
