/**
 * Starts the files that take longest first, so that no worker is left alone with one at the end. Jest learns from earlier
 * runs how long a file takes. In a new clone it goes by their sizes, which say little.
 */
import Sequencer from '@jest/test-sequencer';
import { longestTests, nameOf } from './groups.mjs';

function rank({ path }) {
  const index = longestTests.indexOf(nameOf(path));
  return index < 0 ? longestTests.length : index;
}

export default class LongestFirst extends Sequencer {
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
