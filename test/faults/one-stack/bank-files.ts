/** An import of a bank file whose process is killed between two entries. docs/operators/money-in.md. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../src/data/database/database';
import { sql } from '../../../dev/testbed/sql';
import { newClient } from '../../support/clients';
import { ops } from '../../support/operator';
import type { Service } from '../../support/orders-under-faults';
import { kill, type OwnStack } from '../../support/own-stack';
import { balanceOf } from '../../support/records';
import { runTool } from '../../support/tool';
import { until } from '../../../dev/testbed/waiting';

let stack: OwnStack;
let database: Database;

interface Announced {
  walletId: number;
  iban: string;
  reference: string;
}

/** A client that announces a transfer of 100 USD to its empty wallet. */
async function payer(): Promise<Announced> {
  const { api, wallets } = await newClient(database, { USD: 0 });
  const walletId = wallets['USD'] as number;
  const path = `/api/v1/wallets/${walletId}/funding-requests`;
  const { body } = await api.post<{ reference: string; bank_account: { iban: string } }>(path, { amount: 100 });
  return { walletId, iban: body.bank_account.iban, reference: body.reference };
}

/** The path of a file of the bank with these transfers, in this sequence. */
function bankFile(...payers: readonly Announced[]): string {
  const entries = payers.map(
    ({ reference }) =>
      `<Ntry><Amt Ccy="USD">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-11-26</Dt></BookgDt><NtryDtls><TxDtls><RmtInf><Ustrd>${reference}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`,
  );
  const path = join(tmpdir(), `statement-${randomUUID()}.xml`);
  writeFileSync(
    path,
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>${payers[0]?.iban}</IBAN></Id></Acct>${entries.join('')}</Stmt></BkToCstmrStmt></Document>`,
  );
  return path;
}

/** Registers the test of this subject, on a started stack that other subjects share. */
export function testBankFiles(started: () => Service): void {
  beforeAll(() => {
    ({ stack, database } = started());
  });

  test('When the operators’ process is killed with one entry of two credited, then the next import credits the other', async () => {
    const [first, second] = await Promise.all([payer(), payer()]);
    const file = bankFile(first, second);
    const balances = () => Promise.all([first, second].map(({ walletId }) => balanceOf(database, walletId)));
    const killed = await database.transaction(async (transaction) => {
      await sql(database, transaction)`SELECT FROM wallets WHERE id = ${second.walletId} FOR UPDATE`;
      const importing = runTool`bank import ${file}`;
      await until(
        'the import to wait for the second wallet',
        async () =>
          (
            await sql(database, transaction)`SELECT FROM pg_stat_activity
             WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid))`
          ).length > 0,
      );
      await kill(stack, 'operators');
      expect(await balances()).toEqual(['100', '0']);
      return importing;
    });
    expect(killed.exitCode).not.toBe(0);
    const results = async () => (await ops`bank import ${file}`).map(({ result }) => result);
    await until('the operators’ process', async () => results().catch(() => undefined));
    expect(await balances()).toEqual(['100', '100']);
    expect(await results()).toEqual(['KNOWN', 'KNOWN']);
    expect(await balances()).toEqual(['100', '100']);
  });
}
