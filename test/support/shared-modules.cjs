/**
 * Replaces a file by the module of the worker's realm, which all test files share (one-realm.cjs): a package's file by itself, a
 * source of the service by its build. Jest also transforms what loads before the environment: those packages stay. None of them is
 * an ES module.
 */
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const isEsModule = /^\s*(import|export)\b/m;
const root = join(__dirname, '..', '..');

function process(source, file) {
  if (file.endsWith('.ts')) {
    const built = join(root, 'dist', relative(root, file).replace(/ts$/, 'js'));
    return `module.exports = (globalThis.requireShared ?? require)(${JSON.stringify(built)});`;
  }
  const own = isEsModule.test(source) ? '' : `else {\n${source}\n}`;
  return `if (globalThis.requireShared) module.exports = requireShared(${JSON.stringify(file)});\n${own}`;
}

module.exports = {
  process: (source, file) => ({ code: process(source, file) }),
  getCacheKey: (source, file) =>
    createHash('sha256')
      .update(readFileSync(__filename))
      .update(file)
      .update(source)
      .digest('hex')
      .slice(0, 32),
};
