import { findChromium } from './browser';

/** `describe` where a browser is found; else the tests are skipped, and one sentence says why. */
export const describeInBrowser: typeof describe = findChromium()
  ? describe
  : (console.warn(
      'No Chromium is found: the tests in a browser are skipped. Install chromium, or set CHROMIUM_PATH.',
    ),
    describe.skip);
