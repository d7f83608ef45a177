/** What operators see of an endpoint's URL. */
import { shownUrl } from '../../src/domain/webhooks/shown-url';

test.each([
  ['https://shop.example/hook', 'https://shop.example/hook'],
  ['https://shop.example/hook#part', 'https://shop.example/hook'],
  ['https://shop.example/hook?token=secret', 'https://shop.example/hook?token=…'],
  ['https://shop.example/hook?token=a=b&c=&plain#part?x=1', 'https://shop.example/hook?token=…&c=&…'],
  ['https://shop.example/hook?', 'https://shop.example/hook?'],
  ['https://shop.example/hook?token=first?second', 'https://shop.example/hook?token=…'],
])('When the URL is %s, then operators see %s', (url, shown) => {
  expect(shownUrl(url)).toBe(shown);
});
