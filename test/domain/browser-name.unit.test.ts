import { browserName } from '../../src/domain/browser-name';

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/604.1',
    'Safari on iPhone',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:133.0) Gecko/20100101 Firefox/133.0', 'Firefox on macOS'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['Mozilla/5.0 (X11; FreeBSD) Firefox/133.0', 'Mozilla/5.0 (X11; FreeBSD) Firefox/133.0'],
  ['x'.repeat(80), 'x'.repeat(60)],
])('When the User-Agent is %s, then people read %s', (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});
