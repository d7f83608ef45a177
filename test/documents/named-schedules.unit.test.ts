/** The schedules of maintenance, as pages, tests and tools name them: Temporal starts no run of a name that no schedule has. */
import { maintenanceSchedules } from '../../src/domain/maintenance';
import { repositoryFiles, textOf } from './documents';

const ids: readonly string[] = maintenanceSchedules.map(({ id }) => id);
/** It stands for one that this release does not have. */
const ofAnotherRelease = 'maintenance-of-another-release';

test('When a page, a test or a tool names a schedule, then there is one of this name', () => {
  const files = repositoryFiles().filter((file) =>
    /^(?!test\/replay\/histories)(docs|test|dev|deploy|packages|src)\/.*\.(md|tsx?|mjs|ya?ml|sh)$/.test(file),
  );
  // Neither an anchor of a page, the text of a link to it, nor a part of a path.
  const named = files.flatMap((file) =>
    Array.from(textOf(file).matchAll(/(?<![#[\w./-])maintenance-[a-z]+(?:-[a-z]+)*(?![\w./])/g), ([id]) => ({
      file,
      id,
    })),
  );
  expect(named.filter(({ id }) => id !== ofAnotherRelease && !ids.includes(id))).toEqual([]);
  expect(new Set(named.map(({ id }) => id)).size).toBeGreaterThan(ids.length / 2);
});

test('When there is a schedule, then the page of maintenance has its row', () => {
  const rows = textOf('docs/operators/maintenance.md').matchAll(/^\| `(maintenance[a-z-]*)` \|/gm);
  expect(Array.from(rows, ([, id]) => id).toSorted()).toEqual(ids.toSorted());
});
