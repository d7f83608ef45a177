/** The one decoder of files. */
import fc from 'fast-check';
import { decodedText } from '../../../src/operators/operations/files/text-encoding';

test('When a text is UTF-8, or UTF-16 with a mark, then it is read as it was, without the mark', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const plain = text.replace(/^\ufeff/, '');
      expect(decodedText(Buffer.from(plain))).toBe(plain);
      expect(decodedText(Buffer.from(`\ufeff${plain}`))).toBe(plain);
      const utf16 = Buffer.from(`\ufeff${plain}`, 'utf16le');
      expect(decodedText(utf16)).toBe(plain);
      expect(decodedText(Buffer.from(utf16).swap16())).toBe(plain);
    }),
  );
});

test('When bytes are no UTF-8, then each is a character of Windows-1252', () => {
  expect(decodedText(Buffer.from([0x4d, 0xfc, 0x80, 0x92, 0x81]))).toBe('Mü€’\x81');
  // Cut in the middle of a character.
  expect(decodedText(Buffer.from('ü').subarray(0, 1))).toBe('Ã');
  expect(decodedText(Buffer.from([]))).toBe('');
});
