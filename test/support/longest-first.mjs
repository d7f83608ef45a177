/**
 * Starts the slowest files first, so that no worker runs one alone at the end. Jest knows durations from earlier runs.
 * In a new clone it orders files by size, which is a poor estimate.
 */
import Sequencer from '@jest/test-sequencer';
import { longestTests, nameOf } from '../../dev/scripts/test-groups.mjs';

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
