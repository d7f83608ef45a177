/** `refunds`: files of refunds after delivery, which a workflow carries out. docs/operators/refunds.md. */
import type { Database } from '../../../data/database/database';
import {
  findRefundImport,
  listRefundImports,
  listRefundLines,
  refundImportStates,
  requestRefunds,
  setImportPaused,
  sumRefunds,
  type RefundImport,
  type RefundLine,
} from '../../../data/orders/refund-imports';
import { Exact } from '../../../domain/prices/money';
import { csvText } from '../../../statements/statements';
import { flag, inTerminal, option, optionOr, word } from '../arguments';
import type { Context } from '../context';
import { file } from '../files/file-arguments';
import { UploadedFile } from '../files/uploaded-file';
import { count, id, oneOf } from '../kinds';
import { documentOperation, everyRole, neededReason, operation } from '../operation';
import { withSealedNotes } from '../order-texts';
import { jsonText, plural } from '../text';
import { tried } from '../tried';

/** A lazy import: commands that do not need Temporal start in a fraction of the time. */
const importWorkflows = () => import('../../../ordering/refund-imports.js');

const importArgument = inTerminal(word(id, 'the number of the import'), 'id; see refunds list');

interface RefundFile {
  name: string;
  lines: readonly RefundLine[];
}

/** Decides the file and says what that credits. The preview undoes it. */
async function previewOf(database: Database, given: RefundFile): Promise<string> {
  const key = await database.transaction((transaction) => requestRefunds(database, given, transaction));
  const { importId } = key;
  const { skipped, rejected } = await findRefundImport(database, importId);
  const sums = await sumRefunds(database, importId);
  const faults = (await listRefundLines(database, importId)).filter(({ error }) => error);
  const refunds = sums.map((sum) => `${plural(sum.refunds, 'refund')} of ${sum.amount} ${sum.currency} in all`);
  return [
    `Credits ${refunds.join(', ') || 'nothing'}. Skips ${plural(skipped, 'line that repeats a refund', 'lines that repeat refunds')}, and rejects ${rejected}.`,
    ...faults.slice(0, MAX_FAULTS).map(({ line, error }) => `Line ${line}: ${error}.`),
  ].join(' ');
}

/** Rejected lines that a preview names. */
const MAX_FAULTS = 5;

interface ImportValues {
  file: UploadedFile<'refunds'>;
  mail: boolean;
}

/** The lines of the file. Throws as its reader does. */
async function linesOf({ file: given, mail }: ImportValues): Promise<RefundLine[]> {
  const { refunds } = await given.read();
  return refunds.map(({ extent, ...refund }) => ({
    ...refund,
    mail,
    extent: 'amount' in extent ? { ...extent, amount: new Exact(extent.amount) } : extent,
  }));
}

const importFile = operation({
  name: 'refunds import',
  about:
    'Refund the orders of a CSV file. Decides every line at once, and a workflow credits the refunds. A line that repeats a ' +
    'refund under its reference is skipped, so a repeated file changes nothing; one that asks for another refund is rejected',
  roles: ['support', 'finance'],
  effect: 'money',
  isLong: true,
  approval: 'REFUNDS_IMPORT',
  arguments: {
    file: {
      ...file(
        'refunds',
        'CSV with the columns order, units, unit or amount (or unit with amount), reason_code, reference and note',
      ),
      withoutTexts: async (given) => (await new UploadedFile('hiddenNotes', given).read()).text,
    },
    mail: flag("mail each client's contact when a refund is credited"),
    reason: neededReason,
  },
  filesAbout: async (values) => [
    ...new Set((await linesOf(values)).flatMap(({ orderId, note }) => (note ? [orderId] : []))),
  ],
  // The reason is about all of them, and is erased with the first one.
  textsAbout: async (_context, values) => (await linesOf(values))[0]?.orderId,
  trial: 'PREVIEW',
  async preview(context, values) {
    // Without the notes, which may name people.
    const lines = (await linesOf(values)).map((line) => ({ ...line, note: undefined }));
    return tried(context, ({ database }) => previewOf(database, { name: values.file.name, lines }));
  },
  async run(context, values) {
    const { database } = context;
    const { file: given } = values;
    const lines = await withSealedNotes(context, await linesOf(values));
    const key = await database.transaction((transaction) =>
      requestRefunds(database, { name: given.name, lines }, transaction),
    );
    const { runRefundImport } = await importWorkflows();
    await context.onceCommitted(() => context.withTemporal((temporal) => runRefundImport(temporal, key)));
    const found = await findRefundImport(database, key.importId);
    if (found.rejected > 0) context.mark(1);
    return [shown(found)];
  },
});

const importColumns = {
  id: 'number',
  name: 'text',
  operator: 'text',
  state: 'text',
  lines: 'number',
  credited: 'number',
  waiting: 'number',
  skipped: 'number',
  rejected: 'number',
  created_at: 'time',
  ended_at: 'time',
} as const;

const list = operation({
  name: 'refunds list',
  about: 'Imports of refunds with their progress, the newest first',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    state: option(oneOf('state', refundImportStates), 'only imports in this state: running, paused or ended'),
    after: option(id, 'only imports behind this one, for the next page'),
    limit: optionOr(count, '100', 'maximum number of imports'),
  },
  columns: importColumns,
  run: async ({ database }, filter) => (await listRefundImports(database, filter)).map(shown),
});

const show = operation({
  name: 'refunds show',
  about: 'The progress of an import of refunds',
  roles: everyRole,
  effect: 'reads',
  arguments: { import: importArgument },
  columns: importColumns,
  run: async ({ database }, { import: importId }) => [shown(await findRefundImport(database, importId))],
});

const resultColumns = [
  'line',
  'order_id',
  'reference',
  'result',
  'number',
  'amount',
  'currency',
  'transaction_id',
  'error',
] as const;

const result = documentOperation({
  name: 'refunds result',
  button: 'Show the result',
  about: 'The result of each line of an import of refunds, as CSV',
  roles: everyRole,
  effect: 'reads',
  arguments: { import: importArgument },
  async *parts({ database }, { import: importId }, form) {
    await findRefundImport(database, importId);
    const lines = await listRefundLines(database, importId);
    if (form === 'json') yield `${jsonText(lines, 0)}\n`;
    else yield* csvText(resultColumns, lines);
  },
});

const pause = operation({
  name: 'refunds pause',
  about: 'Pause an import of refunds. Refunds that are credited stay',
  roles: ['support', 'finance'],
  effect: 'changes',
  givesAccess: false,
  arguments: { import: importArgument },
  async compared({ database }, { import: importId }) {
    const { state } = await findRefundImport(database, importId);
    return { of: `Import ${importId}`, values: { state: state.toLowerCase() } };
  },
  run: (context, { import: importId }) => setPaused(context, importId, true),
});

const resume = operation({
  name: 'refunds resume',
  about: 'Resume a paused import of refunds',
  roles: ['support', 'finance'],
  effect: 'money',
  isUnasked: true,
  arguments: { import: importArgument },
  async preview(context, { import: importId }) {
    const { state, credited, waiting } = await findRefundImport(context.database, importId);
    return `Import ${importId}, which is ${state}, goes on: ${waiting} of its refunds wait to be credited, and ${credited} are credited.`;
  },
  async run(context, { import: importId }) {
    const rows = await setPaused(context, importId, false);
    const { nonce } = await findRefundImport(context.database, importId);
    const { runRefundImport } = await importWorkflows();
    await context.onceCommitted(() =>
      context.withTemporal((temporal) => runRefundImport(temporal, { importId, nonce })),
    );
    return rows;
  },
});

async function setPaused({ database }: Context, importId: number, paused: boolean) {
  await findRefundImport(database, importId);
  if (!(await setImportPaused(database, importId, paused)))
    throw new Error(`Import ${importId} has ended. See its lines with: refunds result ${importId}`);
  return [shown(await findRefundImport(database, importId))];
}

function shown({ nonce: _internal, ...found }: RefundImport) {
  return found;
}

export const refundImportOperations = [importFile, list, show, result, pause, resume];
