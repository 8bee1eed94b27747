const a = = 1; // finds EG911
const code = 2002; // finds EG905
