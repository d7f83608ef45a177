/** Records the calls that people send to Temporal. */
import { actingAs } from '../../../data/database/acting-person';
import { STATEMENT_MS, type Database } from '../../../data/database/database';
import { recordSentCall } from '../../../data/audit/operator-calls';
import type { SentCall } from './sent-calls';

/** Writes an audit entry for each call, in the person's name. `database`: opened with `isOperated`. */
export function recordSentCalls(database: Database) {
  return (operator: string, call: SentCall): Promise<void> => {
    const { command, reason } = call;
    const person = { operator, command, reason, door: 'TEMPORAL', statementMs: STATEMENT_MS } as const;
    return actingAs(person, () => recordSentCall(database, call));
  };
}
