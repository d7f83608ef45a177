/** `reconcile`: compares the records of suppliers and Temporal with the orders. */
import { acceptDifferences, differenceKinds, listDifferences } from '../../../data/purchases/settlement-differences';
import { monthOf } from '../../../domain/books/calendar-months';
import { day } from '../../../domain/time';
import { flag, inTerminal, option, optionalWord, toggle, words } from '../arguments';
import type { Context } from '../context';
import { choices, count, nameText, oneOf, text } from '../kinds';
import { month, timeOrAge } from '../time-kinds';
import { everyRole, neededReason, operation } from '../operation';
import { namedSupplier } from '../supplier-named';
import { table } from '../text';
import type { Reconciliation } from './reconciliation';

/** An order younger than this may have no workflow yet, and a workflow younger than this may have no order yet. */
const IN_FLIGHT_MS = 60_000;

const DEFAULT_DAYS = 7;

const compare = operation({
  name: 'reconcile',
  about: 'Compare the sales of suppliers and the running workflows with the orders, and repair what can be repaired',
  roles: ['finance'],
  effect: 'changes',
  givesAccess: false,
  isLong: true,
  arguments: {
    dryRun: flag('only report'),
    since: option(timeOrAge, `compare sales since this time; default: the last ${DEFAULT_DAYS} days`),
  },
  columns: { kind: 'text', subject: 'text', detail: 'text', done: 'text' },
  trial: 'NONE',
  // A lazy import, as below.
  check: async ({ config }) => (await import('../../../temporal/connection.js')).assertAnswers(config),
  async run(context, { dryRun, since = new Date(Date.now() - DEFAULT_DAYS * day) }) {
    const found = await reconcile(context, since, dryRun);
    const discrepancies = found.flatMap((part) => part.discrepancies);
    if (discrepancies.length > 0) context.mark(1);
    return { compared: found.map(({ summary }) => summary), discrepancies };
  },
  rows: ({ discrepancies }) => discrepancies,
  text: ({ compared, discrepancies }, { tableColumns }) =>
    discrepancies.length === 0 ? `Everything agrees: ${compared.join('; ')}.` : table(discrepancies, tableColumns),
});

async function reconcile(context: Context, since: Date, dryRun: boolean): Promise<Reconciliation[]> {
  // A lazy import: commands that do not need Temporal start in a fraction of the time.
  const { reconcileSupplier, reconcileWorkflows } = await import('./reconciliation.js');
  const placedBefore = new Date(Date.now() - IN_FLIGHT_MS);
  const { database, progress } = context;
  const deps = { database, dryRun, progress };
  return context.withTemporal(async (temporal) => {
    const found: Reconciliation[] = [];
    for (const supplier of context.suppliers().values()) {
      const compared = await reconcileSupplier(deps, supplier, since);
      if (compared) found.push(compared);
      else context.remark(`Supplier ${supplier.name} provides no statement: its sales are not compared.`);
    }
    found.push(await reconcileWorkflows(deps, temporal, placedBefore));
    return found;
  });
}

const differences = operation({
  name: 'reconcile differences',
  button: 'Show the differences',
  about: 'The differences between statements and purchases that comparisons found, also settled and accepted ones',
  roles: everyRole,
  effect: 'reads',
  arguments: {
    supplier: optionalWord(nameText, 'default: all suppliers'),
    kind: inTerminal(
      option(oneOf('kind', differenceKinds), 'only differences of this kind'),
      `only differences of this kind ${choices(differenceKinds)}`,
    ),
    month: inTerminal(
      option(month, 'only those in the books of this month'),
      'only those in the books of this month, such as 2026-10',
    ),
    accepted: toggle('only accepted differences', 'only those that no operator has accepted'),
    open: toggle('only open differences', 'only settled and accepted ones'),
    after: option(count, 'only differences with a greater number, for the next page'),
    limit: option(count, 'maximum number of differences; default: all'),
  },
  columns: {
    number: 'number',
    supplier: 'text',
    kind: 'text',
    reference: 'text',
    orderId: 'number',
    at: 'time',
    detail: 'text',
    month: 'text',
    foundAt: 'time',
    resolution: 'text',
    resolvedAt: 'time',
    resolvedBy: 'text',
    acceptedReason: 'text',
  },
  run: ({ database }, { month: of, ...filter }) => listDifferences(database, { ...filter, month: of && monthOf(of) }),
});

const accept = operation({
  name: 'reconcile accept',
  about: 'Accept differences as they are, for example because the supplier has credited them',
  roles: ['finance'],
  effect: 'changes',
  givesAccess: false,
  arguments: {
    supplier: namedSupplier,
    reference: inTerminal(
      words(text, 'our reference of the purchase, as the list of differences shows it'),
      'as in reconcile differences',
    ),
    reason: neededReason,
  },
  async run({ database, operator }, { supplier, reference: references, reason }) {
    const accepted: string[] = [];
    for (const reference of references)
      accepted.push(...(await acceptDifferences(database, supplier, reference, { operator, reason })));
    return `Accepted: ${accepted.join('; ')}.`;
  },
});

export const reconcileOperations = [compare, differences, accept];
