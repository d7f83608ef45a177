/** The checks of the ops CLI, which every run makes at its end. */
import type { Operators } from '../actors/operators';
import type { Broken } from './guarantees';

/** A line of either check. Other fields are printed unchanged. */
type Finding = Record<string, unknown> & { subject?: string; detail?: string };

/** The findings of the two checks of the ops CLI. */
export async function failedProofs(operators: Operators): Promise<Broken[]> {
  return [
    ...(await findings(operators, 'the books add up', 'ledger', 'verify')),
    ...(await findings(operators, 'supplier, Temporal and books agree', 'reconcile', '--dry-run')),
  ];
}

async function findings(operators: Operators, guarantee: string, ...command: string[]): Promise<Broken[]> {
  const { ok, text } = await operators.run('--json', ...command);
  if (!text.startsWith('[')) return [{ guarantee, orderIds: [], detail: text.trim() }];
  const found = JSON.parse(text) as Finding[];
  if (ok && found.length === 0) return [];
  return found.map((finding) => ({
    guarantee,
    orderIds: orderIn(finding.subject),
    detail: Object.values(finding).filter(Boolean).join(': '),
  }));
}

function orderIn(subject = ''): number[] {
  const id = /^(?:order |voucher )?(\d+)/.exec(subject)?.[1];
  return id === undefined ? [] : [Number(id)];
}
