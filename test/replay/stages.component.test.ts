/** Replays every recording from every workflow task, because a worker may have to restore a run at any task. */
import { readRecordings, stages } from './recording';
import { built, errorsOf, type Errors } from './replays';
import { quietRuntime } from '../support/quiet-runtime';

const recordings = readRecordings();
let errors: Errors;

beforeAll(async () => {
  quietRuntime();
  errors = await errorsOf(recordings.flatMap(stages), built);
}, 300_000);

test.each(recordings)('When $name is replayed without a cache, then its state is restored', (recording) => {
  expect(errors.get(recording.workflowId) ?? []).toEqual(stages(recording).map(() => undefined));
});
