/** The two proofs of the operators' tool: the books by themselves, and the books beside supplier and Temporal. */
import type { Operators } from '../people/operators';
import type { Broken } from './promises';

/** A line of either proof; other fields are told as they are. */
type Finding = Record<string, unknown> & { subject?: string; detail?: string };

/** What the two proofs find wrong. */
export async function failedProofs(operators: Operators): Promise<Broken[]> {
  return [
    ...(await findings(operators, 'the books add up', 'ledger', 'verify')),
    ...(await findings(operators, 'supplier, Temporal and books agree', 'reconcile', '--dry-run')),
  ];
}

async function findings(operators: Operators, promise: string, ...command: string[]): Promise<Broken[]> {
  const { ok, text } = await operators.run('--json', ...command);
  if (!text.startsWith('[')) return [{ promise, orderIds: [], detail: text.trim() }];
  const found = JSON.parse(text) as Finding[];
  if (ok && found.length === 0) return [];
  return found.map((finding) => ({
    promise,
    orderIds: orderIn(finding.subject),
    detail: Object.values(finding).filter(Boolean).join(': '),
  }));
}

function orderIn(subject = ''): number[] {
  const id = /^(?:order |voucher )?(\d+)/.exec(subject)?.[1];
  return id === undefined ? [] : [Number(id)];
}
