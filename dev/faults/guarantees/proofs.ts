/** The checks of the ops CLI, which every run makes at its end. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operators } from '../actors/operators';
import type { Broken } from './broken';
import type { OrderFact } from './facts';

/** A line of either check. Other fields are printed unchanged. */
type Finding = Record<string, unknown> & { kind?: string; subject?: string; detail?: string };

/**
 * The findings of the two checks of the ops CLI. Statements are compared after all changes of answers have ended, so that the cost of
 * an order with a changed one must differ from its statement.
 */
export async function failedProofs(operators: Operators, orders: readonly OrderFact[]): Promise<Broken[]> {
  const changed = orders.filter(({ changes }) => changes.has('cost')).map(({ id }) => `order ${id}`);
  const isExpected = ({ kind, subject = '' }: Finding) => kind === 'cost-differs' && changed.includes(subject);
  return [
    ...(await ledgerFindings(operators)),
    ...(await findings(operators, 'supplier, Temporal and books agree', 'reconcile', '--dry-run')),
  ]
    .flatMap(({ finding, ...broken }) => (isExpected(finding) ? [] : [broken]))
    .concat(await unnamedChanges(operators));
}

/** A task of each minute sums orders anew after the clock of the database was set back. */
const SUMMED_AFTER_MS = 65_000;

async function ledgerFindings(operators: Operators) {
  const verify = () => findings(operators, 'the books add up', 'ledger', 'verify');
  const found = await verify();
  if (found.length === 0) return found;
  await sleep(SUMMED_AFTER_MS);
  return verify();
}

/** An entry of the audit. */
interface Audited {
  actor: string;
  operator: string | null;
  command: string | null;
  action: string;
  object: string;
}

/** More than a run writes. */
const ALL_ENTRIES = 100_000;

/** The changes by operators without a person. The seeding of a sandbox runs no command, and Temporal does not record who resets a run. */
async function unnamedChanges(operators: Operators): Promise<Broken[]> {
  const entries = await operators.rows<Audited>('audit', 'list', '--limit', ALL_ENTRIES);
  return entries
    .filter(({ actor, operator, command }) => actor === 'OPERATOR' && command !== null && !operator)
    .filter(({ action }) => action !== 'workflow.reset')
    .map(({ action, object }) => ({
      guarantee: 'every change by an operator names a person in the audit',
      orderIds: [],
      detail: `${action} ${object}`,
    }));
}

async function findings(
  operators: Operators,
  guarantee: string,
  ...command: string[]
): Promise<(Broken & { finding: Finding })[]> {
  const { ok, text } = await operators.run('--json', ...command);
  if (!text.startsWith('[')) return [{ guarantee, orderIds: [], detail: text.trim(), finding: {} }];
  const found = JSON.parse(text) as Finding[];
  if (ok && found.length === 0) return [];
  return found.map((finding) => ({
    finding,
    guarantee,
    orderIds: orderIn(finding.subject),
    detail: Object.values(finding).filter(Boolean).join(': '),
  }));
}

function orderIn(subject = ''): number[] {
  const id = /^(?:order |voucher )?(\d+)/.exec(subject)?.[1];
  return id === undefined ? [] : [Number(id)];
}
