/** What workflows tell of the messages that operators send them. */
import type { InjectedSinks } from '@temporalio/worker';
import { noteMessage } from '../data/operations/operator-messages';
import type { Database } from '../data/database/database';
import type { OperatorSinks } from '../domain/operations/operator-messages';

/** Notes the run, whose history is read within a minute (`src/ordering/maintenance/operator-calls.ts`). */
export function operatorSinks(database: Database): InjectedSinks<OperatorSinks> {
  return {
    operators: {
      noteMessage: { fn: (run, ordinal) => noteMessage(database, run, ordinal), callDuringReplay: false },
    },
  };
}
