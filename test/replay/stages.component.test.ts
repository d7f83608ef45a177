/** Every recording, replayed from every workflow task: a worker may have to restore a run at any of them. */
import { readRecordings, stages } from './recording';
import { built, errorsOf, quietRuntime, type Errors } from './replays';

const recordings = readRecordings();
let errors: Errors;

beforeAll(async () => {
  quietRuntime();
  errors = await errorsOf(recordings.flatMap(stages), built);
});

test.each(recordings)('When $name is met without a cache, then it is restored as it stood', (recording) => {
  expect(errors.get(recording.workflowId) ?? []).toEqual(stages(recording).map(() => undefined));
});
