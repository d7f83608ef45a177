import { firstRow, type Database } from '../database/database';

/** What a client sees of the catalogue: the same as most, or with discounts or a black-list of its own. */
export interface Terms {
  areOwn: boolean;
}

/** Whether the client has terms of its own. */
export async function termsOf(database: Database, clientId: number): Promise<Terms> {
  const found = await firstRow<Terms>(
    database,
    `SELECT EXISTS (SELECT FROM client_discounts WHERE client_id = $clientId)
         OR EXISTS (SELECT FROM client_blacklist WHERE client_id = $clientId) AS "areOwn"`,
    { clientId },
  );
  return found as Terms;
}
