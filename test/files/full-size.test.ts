/** The worst files of each kind at their full size. At a twentieth of it: test/operators/operations/reading-thread.component.test.ts. */
import { readWorstFiles } from '../support/read-worst-files';

readWorstFiles(1);

test('When the worst files were read, then the process has taken no more memory than production gives it', () => {
  expect(process.resourceUsage().maxRSS / 1_024).toBeLessThan(768);
});
