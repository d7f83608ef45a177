/**
 * `npm test`: runs Jest without the rest (dev/scripts/test-groups.mjs), unless the arguments name files or projects.
 * `npm run test:all` (`--all`) also runs the rest, and with `--rest` nothing else; `--ci` is `--all` without what CI leaves out. Rejects a file after `--selectProjects`, which
 * Jest would take for a project and then run everything.
 */
import { buildArgv, run } from 'jest';
import config from '../../jest.config.mjs';
import { leftOut } from './test-groups.mjs';

const groups = ['--all', '--rest', '--ci'];
const given = process.argv.slice(2);
const args = given.filter((argument) => !groups.includes(argument));
const { _: files, testPathPatterns = [], selectProjects = [] } = await buildArgv(args);

const known = config.projects.map(({ displayName }) => displayName);
const unknown = selectProjects.find((name) => !known.includes(name));
if (unknown !== undefined) {
  console.error(`There is no test project ${unknown}. To run one file, name only the file: npm test -- <file>`);
  process.exit(2);
}

const short = ['unit', 'component', 'stack'];
const rest = ['rest-component', 'rest-stack'];
const namesTests = files.length > 0 || testPathPatterns.length > 0 || selectProjects.length > 0;
// Tests wait more than half of their time, so six keep two cores busy.
if (!namesTests && !given.includes('--rest')) args.push('--maxWorkers=6');
if (given.includes('--rest')) args.push('--selectProjects', ...rest);
else if (given.includes('--all') || given.includes('--ci')) args.push('--selectProjects', ...short, ...rest);
else if (!namesTests) args.push('--selectProjects', ...short);
if (given.includes('--ci')) {
  // The folders have projects of their own, and their unit tests run.
  const files = leftOut.map(({ tests }) => tests).filter((tests) => !tests.endsWith('/*'));
  args.push(`--testPathIgnorePatterns=/test/(${files.join('|')})\\.`);
}
// Workers get the flags of this process. What tests allocate dies young: collected less often, it takes 6 % less CPU.
process.execArgv.push('--max-semi-space-size=64');
await run(args);
