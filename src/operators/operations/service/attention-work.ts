/** Who works on an entry of the attention list, and the notes about it. */
import {
  assertListed,
  noteAttention,
  orderOfAttention,
  releaseAttention,
  takeAttention,
  withdrawNote,
} from '../../../data/attention/attention-work';
import { word } from '../arguments';
import type { Context } from '../context';
import { boundedText, id } from '../kinds';
import { operation } from '../operation';
import { sealedText } from '../order-texts';

export const entryNumber = word(id, 'the first number of the entry on the list');

/** The order of the entry, about which the reason is. */
export const textsAboutEntry = (
  { database }: Pick<Context, 'database'>,
  { number: entry }: { readonly number: number },
) => orderOfAttention(database, entry);

const take = operation({
  name: 'attention take',
  about: 'Take an entry, so that others see who works on it. The end of the entry ends it',
  roles: ['support', 'catalogue', 'finance'],
  effect: 'changes',
  harmless: 'It only says who works on an entry.',
  arguments: { number: entryNumber },
  textsAbout: textsAboutEntry,
  async run({ database, operator }, { number: entry }) {
    await takeAttention(database, entry, operator);
    return `Number ${entry} is taken by ${operator}.`;
  },
});

const release = operation({
  name: 'attention release',
  button: 'Put back',
  about: 'Release an entry that you or another operator has taken',
  roles: ['support', 'catalogue', 'finance'],
  effect: 'changes',
  harmless: 'It only says that the caller does not work on an entry.',
  arguments: { number: entryNumber },
  textsAbout: textsAboutEntry,
  async run({ database }, { number: entry }) {
    return `Number ${entry} is no longer taken by ${await releaseAttention(database, entry)}.`;
  },
});

const noteText = boundedText('note', 1_000);

const note = operation({
  name: 'attention note',
  button: 'Add a note',
  about: 'Leave a note about an entry for other operators. Name no customer in it',
  roles: ['support', 'catalogue', 'finance'],
  effect: 'changes',
  harmless: 'It only adds a note.',
  arguments: { number: entryNumber, text: word(noteText, 'what others should know') },
  check: async ({ database }, { number: entry }) => entry === undefined || assertListed(database, entry),
  textsAbout: textsAboutEntry,
  async run(context, { number: entry, text }) {
    const { database, operator } = context;
    const orderId = await orderOfAttention(database, entry);
    const written = orderId === undefined ? text : await sealedText(context, orderId, text);
    await noteAttention(database, entry, { operator, note: written });
    return `Number ${entry} has the note.`;
  },
});

const withdraw = operation({
  name: 'attention withdraw-note',
  button: 'Withdraw the note',
  about: 'Withdraw your newest note about an entry',
  roles: ['support', 'catalogue', 'finance'],
  effect: 'changes',
  harmless: 'It only takes back a note of the caller.',
  arguments: { number: entryNumber },
  textsAbout: textsAboutEntry,
  async run({ database, operator }, { number: entry }) {
    await withdrawNote(database, entry, operator);
    return `Your newest note about number ${entry} is withdrawn.`;
  },
});

export const workOnEntries = [take, release, note, withdraw];
