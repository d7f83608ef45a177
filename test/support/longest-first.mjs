/**
 * Starts the files that take longest first, so that no worker is left alone with one in the end. Jest knows how long a
 * file takes from an earlier run, which a new clone lacks; their sizes, by which it goes then, say little.
 */
import Sequencer from '@jest/test-sequencer';

const longest = [
  'faults/kills',
  'api/webhooks-scenarios',
  'api/esim-orders',
  'security/canary',
  'faults/keys',
  'replay/replay.component',
  'client/faults',
  'faults/several-processes',
  'documents/adding-a-family.component',
  'faults/clocks',
  'faults/starvation',
  'faults/door',
  'faults/stopping',
  'faults/webhooks',
  'tracing/traces',
];

function rank({ path }) {
  const index = longest.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  return index < 0 ? longest.length : index;
}

export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
