/** The number of entries that a client reads as its activity. It stays exact while entries come and go and the counts are rolled up. */
import { listActivity, rollUpActivityCounts } from '../../src/data/clients/activity';
import { deleteOldAudit } from '../../src/data/audit/audit-entries';
import { rows } from '../../src/data/database/database';
import { sql } from '../../dev/testbed/sql';
import { newHolder } from '../../dev/testbed/ledger-rows';
import { scratchDatabase } from '../../dev/testbed/scratch-database';

const { database } = scratchDatabase();

const ENTRIES = 60;

/** Of each five entries, a client reads the first three. The last one is about no client. */
const addStatement = `
INSERT INTO audit_entries (at, actor_kind, client_id, action, object, after)
SELECT now() - $daysAgo * interval '1 day', actor, CASE WHEN n % 5 <> 4 THEN $clientId::integer END, action, object, after
  FROM generate_series(0, $entries - 1) n
  JOIN (VALUES (0, 'CLIENT', 'session.started', 'session/1', NULL), (1, 'OPERATOR', 'api_key.changed', 'api_key/7', NULL),
               (2, 'OPERATOR', 'client.changed', 'client/1', '{"allowed_cidrs": []}'::jsonb),
               (3, 'OPERATOR', 'client.changed', 'client/1', '{"name": "x"}'), (4, 'OPERATOR', 'member.changed', 'member/1', NULL))
    AS kind (place, actor, action, object, after) ON place = n % 5`;

const add = (clientId: number, entries: number, daysAgo = 0) =>
  rows(database, addStatement, { clientId, entries, daysAgo });

test('When entries are written, deleted and rolled up at once, then the number of activities stays exact', async () => {
  const { clientId } = await newHolder(database);
  const other = await newHolder(database);
  const total = async (of = clientId) => (await listActivity(database, of, { offset: 0, limit: 1 })).total;
  const before = [await total(), await total(other.clientId)];
  let isOver = false;
  const folding = (async () => {
    while (!isOver) await Promise.all([rollUpActivityCounts(database), rollUpActivityCounts(database)]);
  })();
  await Promise.all([
    add(clientId, ENTRIES),
    add(clientId, ENTRIES),
    add(other.clientId, 5),
    add(clientId, ENTRIES, 500),
  ]);
  await deleteOldAudit(database, 1_000);
  isOver = true;
  await folding;

  const [mine = 0, others = 0] = before;
  expect([await total(), await total(other.clientId)]).toEqual([mine + 72, others + 3]);
  const { entries } = await listActivity(database, clientId, { offset: 0, limit: 1_000 });
  expect(entries).toHaveLength(mine + 72);
  await rollUpActivityCounts(database);
  expect(
    await sql.one(database)`
    SELECT count(*)::integer AS changes FROM activity_counts WHERE NOT is_total`,
  ).toEqual({ changes: 0 });
});
