/** What a command prints while it replays: `replay`, `deploy drain --move-stragglers`. */
import { spawnSync } from 'node:child_process';
import { root } from '../../documents/documents';

const script = `
const { quietReplays } = require('./dist/src/operators/cli/quiet-replays.js');
const [recording] = require('./dist/test/replay/recording.js').readRecordings();
const { workflowId, history } = recording;
const broken = { workflowId, history: { events: history.events.filter((_, index) => index !== 4) } };
(async () => {
  const replay = quietReplays({});
  for (const run of [recording, broken])
    for await (const { error } of replay([run])) console.log(error === undefined ? 'as before' : 'differs');
})();`;

test('When runs are replayed one by one, then the output has their results alone, even of a run that differs', () => {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['as before\ndiffers\n', '']);
});
