/**
 * Replaces a package's file by the module of the worker's realm, which all test files share (one-realm.cjs). Jest transforms the
 * packages that load the environment, too: these stay. None of them is an ES module.
 */
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');

const isEsModule = /^\s*(import|export)\b/m;

module.exports = {
  process: (source, file) => {
    const own = isEsModule.test(source) ? '' : `else {\n${source}\n}`;
    return { code: `if (globalThis.requireShared) module.exports = requireShared(${JSON.stringify(file)});\n${own}` };
  },
  getCacheKey: (source, file) =>
    createHash('sha256').update(readFileSync(__filename)).update(file).update(source).digest('hex').slice(0, 32),
};
