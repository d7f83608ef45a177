/** References of bank transfers: ISO 11649. */
import fc from 'fast-check';
import {
  creditorReference,
  creditorReferencesIn,
  misreadReferencesIn,
} from '../../src/domain/funding/creditor-references';

const body = fc.stringMatching(/^[0-9A-Z]{12}$/);

test('When a body is given, then the reference has the check digits of ISO 11649', () => {
  expect(creditorReference('539007547034')).toBe('RF18539007547034');
  fc.assert(
    fc.property(body, (text) => {
      const reference = creditorReference(text);
      const moved = reference.slice(4) + reference.slice(0, 4);
      const remainder = [...moved].reduce((rest, one) => {
        const value = parseInt(one, 36);
        return (rest * (value > 9 ? 100 : 10) + value) % 97;
      }, 0);
      expect(remainder).toBe(1);
    }),
  );
});

test('When a text holds references with blanks, hyphens, line breaks, small letters or invisible characters, then each is found once', () => {
  const [one, two] = [creditorReference('A1B2C3D4E5F6'), creditorReference('Z9Y8X7W6V5T4')];
  const grouped = one.replace(/(.{4})(?=.)/g, '$1 ');
  const text = `Invoice 17, ref.${grouped}\n/ROC/${two.slice(0, 9).toLowerCase()}-\r\n${two.slice(9)}? and ${one}`;
  expect(creditorReferencesIn(text)).toEqual([one, two]);
  expect(creditorReferencesIn(`RF${one}`)).toEqual([one]);
  expect(creditorReferencesIn([...one].join('\u200b\u00ad\u2060\u200e'))).toEqual([one]);
});

test('When a digit or letter of a reference is wrong, or two are exchanged, then it is no reference', () => {
  const right = creditorReference('A1B2C3D4E5F6');
  const wrong = [...right].flatMap((one, at) => {
    const others = /[0-9]/.test(one) ? [...'0123456789'] : [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    return others.filter((other) => other !== one).map((other) => right.slice(0, at) + other + right.slice(at + 1));
  });
  const exchanged = right.replace('2C', 'C2');
  for (const text of [...wrong, exchanged, '', 'RF00 0000 0000 0000', right.slice(0, -1)])
    expect(creditorReferencesIn(text)).toEqual([]);
});

test('When a text has O, I and L for 0, 1 and 1, then the reference is a possible one, unless the text has a valid one as it stands', () => {
  const right = creditorReference('A10B2C0D1E5F');
  const misread = right.replaceAll('0', 'o').replace('1', 'I').replaceAll('1', 'l');
  expect(misread).not.toBe(right);
  expect(creditorReferencesIn(misread)).toEqual([]);
  expect(misreadReferencesIn(`ref ${misread}`)).toEqual([right]);
  expect(misreadReferencesIn(right)).toEqual([]);
  expect(misreadReferencesIn(`${misread} ${creditorReference('Z9Y8X7W6V5T4')}`)).toEqual([]);
});
