/** An import of 100 refunds whose worker is killed twice, each time while a refund is under way. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { verifyLedger } from '../../../src/data/ledger-verification';
import { newClient } from '../../support/clients';
import { lockWaits } from '../../support/lock-waits';
import { ops } from '../../support/operator';
import { ended, orderOf, place } from '../../support/orders';
import type { Service } from '../../support/orders-under-faults';
import { kill, type OwnStack } from '../../support/own-stack';
import { balanceOf } from '../../support/records';
import { runTool } from '../../support/tool';
import { until } from '../../../dev/testbed/waiting';

const LINES = 100;
const CLIENTS = 5;

let stack: OwnStack;
let database: Database;
/** A client with one delivered order, and the lines that refund each of its units. */
async function buyer() {
  const quantity = LINES / CLIENTS;
  const client = await newClient(database, { USD: 10_000 });
  const { id } = await place(client.api, orderOf('voucher_instant', { quantity }));
  await ended(client.api, id);
  const lines = Array.from({ length: quantity }, (_, unit) => `${id},1,GOODWILL,unit-${unit + 1}`);
  return { walletId: client.wallets['USD'] as number, lines };
}

/** Kills the worker while its refund waits for a wallet. PostgreSQL still runs the statement, and the next worker finds the result. */
async function killInRefund(): Promise<void> {
  await lockWaits(database, 1, 'carry_out_refund', 90);
  await kill(stack, 'worker');
}

/** Locks the wallet until the function that it returns is called. */
async function locked(id: number): Promise<() => Promise<void>> {
  const transaction = await database.transaction();
  await sql(database, transaction)`SELECT FROM wallets WHERE id = ${id} FOR NO KEY UPDATE`;
  return () => transaction.commit();
}

/** Registers the tests of this subject, on a started stack that other subjects share. */
export function testRefunds(started: () => Service): void {
  beforeAll(() => {
    ({ stack, database } = started());
  });

  test('When 100 cards are refunded by a file and the worker is killed twice, then each line is credited once', async () => {
    const buyers = await Promise.all(Array.from({ length: CLIENTS }, buyer));
    const file = join(tmpdir(), `refunds-${randomUUID()}.csv`);
    const lines = buyers.flatMap(({ lines: own }) => own);
    writeFileSync(file, ['order,units,reason_code,reference', ...lines].join('\n'));

    // The worker waits for one of these wallets at each kill.
    const [first, next] = buyers.slice(1, 3).map(({ walletId }) => walletId) as [number, number];
    let release = await locked(first);
    const { exitCode } = await runTool`refunds import ${file} --reason Recall --yes`;
    expect(exitCode).toBe(0);
    try {
      await killInRefund();
      const following = await locked(next);
      await release();
      release = following;
      await killInRefund();
    } finally {
      await release();
    }
    const [{ id } = { id: 0 }] = (await ops`refunds list`) as { id: number }[];
    await until('the end of the import', async () => (await ops`refunds show ${id}`)[0]?.['state'] === 'ENDED', 200);
    expect(await ops`refunds show ${id}`).toMatchObject([{ lines: LINES, credited: LINES, waiting: 0, rejected: 0 }]);
    const counted = await sql.one(database)<{ entries: number }>`SELECT count(*)::integer AS entries
         FROM transactions WHERE kind = 'REFUND_AFTER'`;
    expect(counted.entries).toBe(LINES);
    for (const { walletId } of buyers) expect(await balanceOf(database, walletId)).toBe('10000');
    expect((await verifyLedger(database, 10)).findings).toEqual([]);
  });
}
