import type { Database } from '../src/data/database/database';
import type { ActivityDependencies } from './dependencies';

/** Does work whose statements may take hours, over a connection that exists only for this work. */
export async function patiently(
  { openPatientDatabase }: Pick<ActivityDependencies, 'openPatientDatabase'>,
  work: (patient: Database) => Promise<void>,
): Promise<void> {
  const patient = openPatientDatabase();
  try {
    await work(patient);
  } finally {
    await patient.close();
  }
}
