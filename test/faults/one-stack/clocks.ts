/**
 * Orders while the wall clocks of two workers differ. The database's clock decides shared time limits:
 * docs/decisions/0006-claim-a-purchase-before-sending-it.md.
 */
import { aheadBy, libfaketime } from '../../../dev/stack/faketime';
import type { Database } from '../../../src/data/database/database';
import { newClient } from '../../support/clients';
import { orderOf, ordersPath } from '../../support/orders';
import type { Service } from '../../support/orders-under-faults';
import { unsoundWallets } from '../../support/records';
import { startWorkerProcess } from '../../support/service-process';
import type { Json } from '../../support/stack';

const CREATES = 30;
const AT_ONCE = 3;

/** Registers the tests of this subject, on a started stack that other subjects share. */
export function testClocks(started: () => Service): void {
  let database: Database;
  let library: string;
  beforeAll(async () => {
    ({ database } = started());
    library = await libfaketime(console.log);
  });

  test.each([12, 30])(
    'When a worker is %i s ahead, then every order request is accepted and debited once',
    async (seconds) => {
      const worker = await startWorkerProcess(aheadBy(seconds, library));
      try {
        const client = await newClient(database, { USD: 10_000 });
        await client.api.accessToken();
        const statuses: number[] = [];
        const orderInTurn = async () => {
          for (let made = 0; made < CREATES / AT_ONCE; made++) {
            const { status, body } = await client.api.post<Json>(ordersPath, orderOf('voucher_instant'));
            statuses.push(status);
            expect(body).toMatchObject({ status: 'DELIVERED' });
          }
        };
        await Promise.all(Array.from({ length: AT_ONCE }, orderInTurn));
        expect(statuses).toEqual(Array(CREATES).fill(200));
        expect(await unsoundWallets(database)).toEqual([]);
      } finally {
        await worker.stop();
      }
    },
  );
}
