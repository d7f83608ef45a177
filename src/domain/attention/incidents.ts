/**
 * Incidents: entries of the attention list that one cause at one supplier made, and that one retry ends.
 * Rule: which entries of the attention list are one incident
 */
import type { Family } from '../orders/families';
import { namesOf } from '../records';
import type { AttentionKind } from './attention-kinds';

/** Why orders of a supplier wait: it rejects our account, it does not answer, or it reports no outcome. */
export type IncidentCause = 'BLOCKED' | 'DOWN' | 'LATE';

/** The kinds that say so. */
const kindsOfCause: Readonly<Record<IncidentCause, readonly AttentionKind[]>> = {
  BLOCKED: ['ACCOUNT_BLOCKED', 'SUPPLIER_BLOCKED'],
  DOWN: ['SUPPLIER_DOWN', 'PURCHASES_NOT_SENT', 'ANSWER_LOST'],
  LATE: ['PURCHASE_OVERDUE'],
};
export const incidentCauses = namesOf(kindsOfCause);

/** The kinds whose entries may belong to an incident. */
export const incidentKinds: readonly AttentionKind[] = incidentCauses.flatMap((cause) => kindsOfCause[cause]);

/** An entry of one of these kinds. `family`: that of its order; null for an entry about the supplier. */
export interface IncidentEntry {
  id: number;
  kind: AttentionKind;
  supplier: string;
  family: Family | null;
  since: Date;
}

export interface Incident {
  supplier: string;
  /** Null if it hits every family of the supplier. */
  family: Family | null;
  cause: IncidentCause;
  /** That of its oldest entry. */
  since: Date;
  entries: IncidentEntry[];
}

/**
 * The incidents of the entries, the oldest first. Entries belong together by supplier, family and cause. An entry about the whole supplier
 * takes in the entries of all families. Purchases that are not sent, and lost answers, follow from a block of the account, if there is one.
 * A single entry about an order is no incident.
 */
export function incidentsOf(entries: readonly IncidentEntry[]): Incident[] {
  const blocked = new Set(
    entries.filter(({ kind }) => kindsOfCause.BLOCKED.includes(kind)).map(({ supplier }) => supplier),
  );
  const causeOf = ({ kind, supplier }: IncidentEntry): IncidentCause => {
    const cause = incidentCauses.find((each) => kindsOfCause[each].includes(kind)) ?? 'LATE';
    return cause === 'DOWN' && kind !== 'SUPPLIER_DOWN' && blocked.has(supplier) ? 'BLOCKED' : cause;
  };
  const isWhole = new Set(
    entries.filter(({ family }) => family === null).map((entry) => `${entry.supplier} ${causeOf(entry)}`),
  );
  const found = new Map<string, Incident>();
  for (const entry of entries) {
    const { supplier, since } = entry;
    const cause = causeOf(entry);
    const family = isWhole.has(`${supplier} ${cause}`) ? null : entry.family;
    const key = `${supplier} ${cause} ${family}`;
    const incident = found.get(key) ?? { supplier, family, cause, since, entries: [] };
    incident.entries.push(entry);
    if (since < incident.since) incident.since = since;
    found.set(key, incident);
  }
  return [...found.values()]
    .filter(({ family, entries: own }) => family === null || own.length > 1)
    .sort((one, other) => one.since.getTime() - other.since.getTime());
}

const goods: Readonly<Record<Family, string>> = { VOUCHER: 'vouchers', TOPUP: 'top-ups', ESIM: 'eSIMs' };

/** What to tell a client of the incident: nothing of suppliers and accounts. */
export function clientSentence({ cause, family, since }: Incident): string {
  const what = family === null ? 'Orders' : `Orders of ${goods[family]}`;
  const why =
    cause === 'LATE' ? `${what} wait for the confirmation of their delivery` : `${what} are delayed by an outage`;
  return `${why} since ${since.toISOString()}. They stay open and go on by themselves. What cannot be delivered is refunded to the wallet. Please do not order it again.`;
}
