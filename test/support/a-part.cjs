/**
 * The environment of a drawn test file: runs a part of its tests, those that begin within `PART_SECONDS` of the first one. The first one
 * is drawn, too, and after the last one comes the first of the file; but not in a file of steps (`PART_STEPS`: such files, as JSON).
 */
const { randomInt } = require('node:crypto');
const { relative } = require('node:path');
const OneRealm = require('./one-realm.cjs');

module.exports = class APart extends OneRealm {
  constructor(config, context) {
    super(config, context);
    const { rootDir } = config.projectConfig;
    this.areSteps = JSON.parse(process.env.PART_STEPS).includes(relative(rootDir, context.testPath));
  }

  handleTestEvent({ name, test }, { rootDescribeBlock }) {
    if (name === 'run_start' && !this.areSteps) rotate(rootDescribeBlock);
    if (name !== 'test_start') return;
    this.until ??= Date.now() + Number(process.env.PART_SECONDS) * 1_000;
    if (Date.now() > this.until) test.mode = 'skip';
  }
};

/** Begins with another child, at the first level that has several. */
function rotate({ children }) {
  if (children.length === 1 && children[0].type === 'describeBlock') return rotate(children[0]);
  if (children.length > 1) children.push(...children.splice(0, randomInt(children.length)));
}
