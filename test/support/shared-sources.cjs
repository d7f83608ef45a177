/**
 * Replaces a source by its build, which all test files of a worker share (one-realm.cjs): tests check what runs, and
 * evaluating the sources anew took a third of their CPU. Unit tests, which may replace modules, load the sources.
 */
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join, relative } = require('node:path');

const root = join(__dirname, '../..');

module.exports = {
  process: (_source, file) => {
    const built = join(root, 'dist', relative(root, file).replace(/\.ts$/, '.js'));
    // Jest's global setup runs in no test environment.
    return { code: `module.exports = (globalThis.requireShared ?? require)(${JSON.stringify(built)});` };
  },
  getCacheKey: (_source, file) =>
    createHash('sha256').update(readFileSync(__filename)).update(file).digest('hex').slice(0, 32),
};
