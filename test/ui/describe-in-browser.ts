import { findChromium } from './browser';

/** `describe` if a browser is found. Otherwise skips the tests and prints the reason. */
export const describeInBrowser: typeof describe = findChromium()
  ? describe
  : (console.warn('No Chromium is found: the tests in a browser are skipped. Install chromium, or set CHROMIUM_PATH.'),
    describe.skip);
