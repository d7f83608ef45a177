/** What only the owner knows is missing everywhere, or nowhere. CONTRIBUTING.md#before-the-first-release. */
import { repositoryFiles, textOf } from './documents';

const [, section = ''] = textOf('CONTRIBUTING.md').split('## Before the first release\n');
const manifests = repositoryFiles()
  .filter((file) => /^(packages\/\w+\/)?package\.json$/.test(file))
  .map((file) => JSON.parse(textOf(file)) as Record<string, unknown>);

test.each([
  ['licence', '`license`', manifests.some(({ license }) => license === 'UNLICENSED')],
  ['repository', '`repository`', manifests.some(({ repository }) => repository === undefined)],
  ['place for faults', '`bugs`', manifests.some(({ bugs }) => bugs === undefined)],
  ['address for reports', '`SECURITY.md`', textOf('SECURITY.md').includes('**The address for reports is missing**')],
])('When the %s is missing, and only then, CONTRIBUTING says so', (_what, name, isMissing) => {
  expect(section.includes(name)).toBe(isMissing);
});
