/** The trial of a supplier compares the supplier's behaviour with the traits that the adapter declares. */
import { createDtone } from '../../fakes/dtone/dtone';
import { startFake, type RunningFake } from '../../fakes/kit/fake';
import type { Modes } from '../../fakes/kit/modes';
import { demandOwnHost } from '../../dev/trial/options';
import { compare } from '../../dev/trial/report';
import { tryOut } from '../../dev/trial/trial';
import { createDtoneSupplier } from '../../src/suppliers/dtone';
import { stateOfOneProcess } from '../../dev/trial/state-of-one-process';
import type { Supplier } from '../../src/domain/suppliers/port';
import { setModes } from '../support/fake-controls';

let fake: RunningFake;
let supplier: Supplier;
beforeAll(async () => {
  const credentials = { key: 'the-key', secret: 'the-secret' };
  fake = await startFake({ host: '127.0.0.1', port: 0, ...credentials }, createDtone);
  supplier = createDtoneSupplier({ url: `${fake.url}/v1`, ...credentials }, stateOfOneProcess());
});
afterAll(() => fake.close());

/** The contradictions that a trial of the fake with these modes shows. */
async function contradictions(modes: Modes, lookupConclusiveAfterMs = 60_000): Promise<string[]> {
  await setModes(fake, { takes_ms: 300, ...modes });
  const goods = { family: 'VOUCHER', sku: 'fixed:1101:USD:10', unitValue: '10', currency: 'USD' } as const;
  const times = { lookEveryMs: 50, concludedWithinMs: 10_000 };
  const seen = await tryOut(supplier, goods, times, () => undefined);
  expect(seen).toMatchObject({ end: 'DELIVERED', cost: expect.stringMatching(/^\d+(\.\d+)? [A-Z]{3}$/) as string });
  return compare({ ...supplier.traits, lookupConclusiveAfterMs }, [seen])
    .filter(({ isContradiction }) => isContradiction)
    .map(({ trait, declared, observed }) => `${trait}: ${declared}, ${observed}`);
}

test('When the supplier behaves as declared, then the trial shows no contradiction', async () => {
  expect(await contradictions({})).toEqual([]);
});

test('When the supplier buys again with a repeated reference, then the trial shows it', async () => {
  expect(await contradictions({ repeats: 'buys-again' })).toEqual(['repeated reference: is-rejected, buys-again']);
});

test('When a lookup finds the purchase later than declared, then the trial shows it', async () => {
  expect(await contradictions({ lookup_after_ms: 1_500 }, 1_000)).toEqual([
    expect.stringMatching(/^found by a lookup after: 1000 ms, \d{4,} ms$/),
  ]);
});

test.each(['127.0.0.1:4011', 'localhost', '10.0.0.1', '[::1]:4011'])(
  'When the supplier is at %s, then the trial does not count as a record',
  (host) => {
    expect(() => demandOwnHost(host)).toThrow("is not the supplier's own host: add --no-record");
  },
);

test('When the supplier is at its own host, then the trial counts as a record', () => {
  expect(() => demandOwnHost('dvs-api.dtone.com')).not.toThrow();
});
