/** Forms of operations that change a stored thing begin with its present values. docs/developers/operations.md. */
import { operations } from '../../../src/operators/operations/operations';

/** What says why, and what permits a change: no stored value. */
const aboutTheCall = ['reason', 'force', 'note', 'text', 'remarks', 'mail', 'dryRun'];

/** Why the form of an operation that takes values begins empty. */
const emptyForms: Readonly<Record<string, readonly string[]>> = {
  'it makes a new thing': [
    'clients create',
    'clients invite-admin',
    'keys create',
    'wallets open',
    'people invite',
    'service-accounts create',
    'spend-rules set',
    'products stop',
    'suppliers pause',
    'claims open',
  ],
  'it moves money, and its own dialog shows the balance before and after': [
    'wallets fund',
    'wallets adjust',
    'bank credit',
    'orders refund',
    'claims accept',
    'claims credit',
    'orders resolve',
  ],
  'it has one value, which its preview compares with the old one': [
    'wallets credit-limit',
    'discounts set',
    'rates set',
    'rates follow',
    'rates accept',
    'rates reference set',
    'fees set',
    'claims days',
  ],
  'it replaces what its preview names': ['margins set', 'approval-rules set'],
  'it keeps what is not given, and has no lists of parts': ['sources set'],
  'it reads a file or a supplier': [
    'bank import',
    'rates refresh',
    'catalogue import',
    'catalogue sync',
    'catalogue accept',
    'catalogue map',
    'settlements import',
  ],
  'its values say which thing it changes': [
    'members reinvite',
    'members suspend',
    'members resume',
    'clients unlock-member',
    'members remove',
    'discounts clear',
    'blacklist add',
    'blacklist remove',
    'rates remove',
    'rates unfollow',
    'rates reference remove',
    'margins clear',
    'suppliers resume',
    'reconcile accept',
    'privacy erase',
    'privacy export',
  ],
  'its values choose what it does, and none of them is stored': [
    'clients suspend',
    'keys roll',
    'orders retry',
    'webhooks replay',
    'webhooks skip',
    'reconcile',
    'books close',
  ],
};

/** The arguments that may hold a stored value: all but the first, which name the thing. */
const valuesOf = ({ arguments: all }: (typeof operations)[number]) =>
  Object.keys(all).filter((name, at) => at > 0 && !aboutTheCall.includes(name));

test('When an operation takes values, then its form begins with the present ones, or a list says why not', () => {
  const taking = operations.filter(({ effect }) => effect !== 'reads').filter((one) => valuesOf(one).length > 0);
  const beginsEmpty = taking.filter(({ present }) => !present).map(({ name }) => name);
  expect(beginsEmpty.toSorted()).toEqual(Object.values(emptyForms).flat().toSorted());
});

test('When a form begins with present values, then its operation says what changes, and takes what the form sends', () => {
  const begun = operations.filter(({ present }) => present);
  expect(begun.map(({ name }) => name)).toEqual(expect.arrayContaining(['clients set', 'keys set']));
  for (const one of begun) {
    const { name, present, arguments: all } = one;
    expect([name, 'preview' in one, present?.subject.every((each) => each in all)]).toEqual([name, true, true]);
    const added = Object.keys(all).filter((each) => each.startsWith('add'));
    expect(Object.keys(all)).toEqual(expect.arrayContaining(added.map((each) => each.replace('add', 'remove'))));
  }
});

/** Why an operation that changes something does not say before what it changes. */
const withoutPreviews: Readonly<Record<string, readonly string[]>> = {
  'it makes a new thing from what the form shows': [
    'clients create',
    'wallets open',
    'keys create',
    'people invite',
    'service-accounts create',
  ],
  'it ends what its button names': ['people withdraw', 'sessions end', 'service-accounts revoke'],
  'it is about who works on an entry, or what is known of it': [
    'attention take',
    'attention release',
    'attention note',
    'attention withdraw-note',
    'attention settle',
    'reconcile accept',
    'bank gap accept',
  ],
  'its dialog says what it means for the client': ['claims reject'],
  'it only notes that the supplier was asked': ['claims send'],
  'it reads from suppliers, a file or the database, and what that changes follows from what is read': [
    'settlements import',
    'catalogue sync',
    'stock refresh',
    'esims poll',
    'reconcile',
    'privacy export',
  ],
  'it lets Temporal do at once, or again, what it does anyway': [
    'maintenance run',
    'maintenance resume',
    'webhooks retry',
  ],
};

test('When an operation changes something, then it says before what changes, or a list says why not', () => {
  const silent = operations.filter((one) => one.effect !== 'reads' && !('preview' in one));
  expect(silent.map(({ name }) => name).toSorted()).toEqual(Object.values(withoutPreviews).flat().toSorted());
});
