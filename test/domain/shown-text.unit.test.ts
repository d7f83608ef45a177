/** The texts and picture addresses that clients show to customers. */
import {
  hiddenCharacterOfLine,
  hiddenCharacterOfText,
  pictureAddress,
  shownLine,
  shownText,
} from '../../src/domain/shown-text';

test.each([
  ['a control character', 'A\u0007B', 'U+0007'],
  ['a line break', 'A\nB', 'U+000A'],
  ['a character that changes the direction', 'A\u202EB', 'U+202E'],
  ['a zero-width blank', 'A\u200BB', 'U+200B'],
  ['an unpaired surrogate', 'A\uD800B', 'U+D800'],
  ['the beginning of a cost', 'A\uE000B', 'U+E000'],
  ['the end of a cost', 'A\uE001B', 'U+E001'],
  ['a character that was lost', 'A\uFFFDB', 'U+FFFD'],
])('When a line contains %s, then its code point is named, and the shown line lacks it', (_, line, code) => {
  expect(hiddenCharacterOfLine(line)).toBe(code);
  expect(hiddenCharacterOfLine(shownLine(line))).toBeUndefined();
});

test('When a text has several lines, then line breaks stay, and other control characters are hidden ones', () => {
  expect(hiddenCharacterOfText('A\r\n\tB')).toBeUndefined();
  expect(hiddenCharacterOfText('A\n\u0007B')).toBe('U+0007');
  expect(shownText(' A\n\u0007\u202EB ')).toBe('A\nB');
});

test.each(['Zoë’s Café', 'می‌خواهم', '👩‍👧', 'AT&T'])('When a line is %s, then nothing is hidden', (line) => {
  expect(hiddenCharacterOfLine(line)).toBeUndefined();
  expect(shownLine(line)).toBe(line);
});

test.each([
  ['https://images.example/a.png', 'https://images.example/a.png'],
  [' https://images.example/my logo.png', 'https://images.example/my%20logo.png'],
  ['http://images.example/a.png', undefined],
  ['javascript:alert(1)', undefined],
  ['data:image/png;base64,AAAA', undefined],
  ['/pictures/usa.svg', undefined],
  ['https://user:secret@images.example/a.png', undefined],
  ['a.png', undefined],
])('When a picture has the address %j, then clients get %j', (address, shown) => {
  expect(pictureAddress(address)).toBe(shown);
});
