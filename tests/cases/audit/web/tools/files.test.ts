expect(error.code).toBe(2002);
const code = 2002;
