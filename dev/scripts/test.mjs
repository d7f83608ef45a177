/**
 * `npm test`: runs Jest without the rest (test/support/groups.mjs), unless the arguments name files or projects.
 * `npm run test:all` (`--all`) also runs the rest, and with `--rest` nothing else.
 */
import { buildArgv, run } from 'jest';

const given = process.argv.slice(2);
const args = given.filter((argument) => argument !== '--all' && argument !== '--rest');

async function namesTests() {
  const { _: files, testPathPatterns = [], selectProjects } = await buildArgv(args);
  return files.length > 0 || testPathPatterns.length > 0 || selectProjects !== undefined;
}

if (given.includes('--rest')) args.push('--selectProjects', 'rest-component', 'rest-stack');
else if (!given.includes('--all') && !(await namesTests()))
  args.push('--maxWorkers=5', '--selectProjects', 'unit', 'component', 'stack');
await run(args);
