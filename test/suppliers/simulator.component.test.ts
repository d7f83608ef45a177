/** The simulator's adapter fulfils the supplier contract, against the real simulator. */
import { signPush } from '../../dev/simulator/pushes';
import type { Modes } from '../../dev/simulator/modes';
import {
  behave,
  bought,
  cleanUp,
  closedPort,
  control,
  esimOf,
  purchaseOf,
  secret,
  start,
  supplierAt,
  topupFor,
} from '../support/simulator';
import { forgedSignatures, supplierContract, type Situation } from './contract';

afterEach(cleanUp);

const modes: Record<Exclude<Situation, 'well'>, Modes> = {
  'answer-lost-before-buying': { answer_lost: { when: 'before_buying', by: 'reset' } },
  'answer-lost-after-buying': { answer_lost: { when: 'after_buying', by: 'reset' } },
  'account-blocked': { account_blocked: { on: ['purchase'], status: 402 } },
  'rate-limited': { busy: { status: 429, retry_after_seconds: 7 } },
  'refusing-with-an-echo': { echo: { on: ['purchase'], status: 422 } },
  'failing-with-an-echo': { echo: { on: ['purchase'], status: 503 } },
  'broken-with-an-echo': { echo: { on: ['purchase'], status: 503 }, half_json: ['purchase'] },
  'two-rows-for-a-reference': { second_row: 'delivered' },
  'first-unit-unreadable': { unreadable_units: [1] },
};

supplierContract('the simulator', async () => {
  const simulator = await start();
  return {
    supplier: supplierAt(simulator),
    unreachable: supplierAt({ url: await closedPort() }),
    arrange: async (situation) => {
      await control(simulator, 'behaviour', undefined, 'DELETE');
      if (situation !== 'well') await behave(simulator, modes[situation]);
    },
    soldUnits: async (reference) => {
      const sold = (await bought(simulator, `?reference=${reference}`)) as { units: number }[];
      return sold.reduce((sum, { units }) => sum + units, 0);
    },
    delivered: [purchaseOf({ units: 2 }), topupFor('100'), esimOf('SIM-ESIM-USA-1GB')],
    refused: topupFor('201'),
    secretWords: ['2025550201', '+1202'],
    reverse: async (reference) => void (await control(simulator, `purchases/${reference}/reverse`)),
    esimProduct: 'SIM-ESIM-USA',
    push: () => {
      const rawBody = Buffer.from('{"type":"purchase","reference":"order-7-abcdef-101"}');
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const signature = signPush(secret, timestamp, rawBody.toString());
      const headers = { 'x-simulator-timestamp': timestamp, 'x-simulator-signature': signature };
      const push = { headers, rawBody, pathSecret: undefined };
      const hint = { kind: 'purchase', reference: 'order-7-abcdef-101' } as const;
      return { push, hint, forged: forgedSignatures(push) };
    },
  };
});
