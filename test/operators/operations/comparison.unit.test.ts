/** What forms of changes begin with, and how a preview says what changes. docs/operators/office.md. */
import { comparisonText } from '../../../src/operators/operations/comparison';
import { cidrs } from '../../../src/operators/operations/kinds';

test('When values change, then a line says of each what it was and will be, and of a list what goes and comes', () => {
  const before = { contact: 'a@shop.example', bulkLimit: 10, group: null, features: ['esim'], mail: true };
  const after = { contact: 'b@shop.example', bulkLimit: 10, group: 'VIP', features: ['topups'], mail: false };
  expect(comparisonText(before, after)).toBe(
    [
      'Contact: a@shop.example → b@shop.example.',
      'Group: none → VIP.',
      'Features: esim. Goes: esim. Comes: topups.',
      'Mail: yes → no.',
    ].join('\n'),
  );
  expect(comparisonText(before, { contact: undefined, group: '' })).toBe('Nothing changes.');
  expect(
    comparisonText({ cidrs: ['10.0.0.0/8'] }, { cidrs: [] }, { cidrs: { label: 'Networks', empty: 'every address' } }),
  ).toBe('Networks: 10.0.0.0/8. Goes: 10.0.0.0/8. Then: every address.');
});

test('When a list of networks has an address, then it is a network of that one', () => {
  expect(cidrs.read('203.0.113.7, 10.0.0.0/8,2001:db8::7')).toEqual([
    '203.0.113.7/32',
    '10.0.0.0/8',
    '2001:db8::7/128',
  ]);
  expect(() => cidrs.read('203.0.113')).toThrow('203.0.113 is not a network');
});
