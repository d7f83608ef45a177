/** The planned orders of goods that the fakes sell. Each has one of the orders of `dev/sandbox/suppliers` as its body. */
import type { FakeName } from '../../stack/fakes';
import type { Random } from '../random';
import { CLIENTS, type Family, type PlannedOrder } from './orders';

/** An order that a fake can deliver. */
interface SupplierScenario {
  name: string;
  supplier: FakeName;
  family: Family;
  /** Whether each order tops up a number of its own. */
  hasPhone?: true;
}

export const supplierScenarios: readonly SupplierScenario[] = [
  { name: 'dtone_voucher', supplier: 'dtone', family: 'VOUCHER' },
  { name: 'dtone_topup', supplier: 'dtone', family: 'TOPUP', hasPhone: true },
  { name: 'dtone_esim', supplier: 'dtone', family: 'ESIM' },
  { name: 'reloadly_voucher', supplier: 'reloadly', family: 'VOUCHER' },
  { name: 'reloadly_topup', supplier: 'reloadly', family: 'TOPUP', hasPhone: true },
  { name: 'reloadly_bill', supplier: 'reloadly', family: 'TOPUP' },
  { name: 'zendit_voucher', supplier: 'zendit', family: 'VOUCHER' },
  { name: 'zendit_topup', supplier: 'zendit', family: 'TOPUP', hasPhone: true },
  { name: 'zendit_esim', supplier: 'zendit', family: 'ESIM' },
  { name: 'airalo_esim', supplier: 'airalo', family: 'ESIM' },
];

/** The client with a wallet in US dollars, into which every currency of a top-up has a rate. */
const DOLLARS = 0;
/** Each unit is a purchase of its own, because the fakes sell one at a time. */
const MOST_UNITS = 6;

/** The orders of a run for goods of the fakes, in the order of their placement. */
export function planSupplierOrders(random: Random, seed: number, seconds: number, rate: number): PlannedOrder[] {
  const orders: PlannedOrder[] = [];
  for (let at = 0; at < seconds * 1_000; at += (random.next() * 2_000) / rate) {
    orders.push(planOrder(random, Math.round(at), seed, orders.length + 1));
  }
  return orders;
}

function planOrder(random: Random, at: number, seed: number, number: number): PlannedOrder {
  const { name, supplier, family, hasPhone } = random.pick(supplierScenarios);
  const reference = `faults-${seed}-${supplier}-${number}`;
  const several = family === 'VOUCHER' && random.chance(0.4) ? { quantity: random.whole(2, MOST_UNITS) } : {};
  // The last three digits select an outcome of a sandbox, so they stay.
  const phone = `91982${String(number).padStart(4, '0')}555`;
  return {
    at,
    supplier,
    client: family === 'TOPUP' ? DOLLARS : random.whole(0, CLIENTS - 1),
    family,
    scenario: name,
    changes: hasPhone ? { input_data: { phone_number: phone } } : several,
    reference,
    email: random.chance(0.3) ? `${reference}@client.example` : null,
    redeems: false,
    repeats: random.chance(0.5),
    reads: Array.from({ length: random.whole(0, 3) }, () => random.whole(500, 30_000)),
  };
}
