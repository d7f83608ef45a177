/** The orders of all families in one form. */
import type { DigitalGoods } from '../client.ts';
import type { CreateOptions } from '../create-order.ts';
import { NotFoundError } from '../errors.ts';
import { Problem } from './problem.ts';

/** The fields that the command-line tool reads from orders of all families. */
export interface AnyOrder {
  id: number;
  status: string;
  /** Voucher orders have `placed_at`, the others `created_at`. */
  placed_at?: string;
  created_at?: string;
  product_name?: string;
  client_reference?: string;
}

interface FamilyOrders {
  create(request: object, options?: CreateOptions): Promise<AnyOrder>;
  get(id: number): Promise<AnyOrder>;
  list(query: object): AsyncIterable<AnyOrder>;
}

export const familyNames = ['voucher', 'topup', 'esim'] as const;
export type FamilyName = (typeof familyNames)[number];

const paths: Readonly<Record<FamilyName, string>> = {
  voucher: '/api/v1/orders',
  topup: '/api/v1/topups/orders',
  esim: '/api/v1/esim/orders',
};

export function ordersOf(client: DigitalGoods, family: FamilyName): FamilyOrders {
  const all: Readonly<Record<FamilyName, FamilyOrders>> = {
    voucher: client.vouchers.orders,
    topup: client.topups.orders,
    esim: client.esim.orders,
  };
  return all[family];
}

/** Returns the family. Throws a `Problem` for an unknown name. */
export function familyNamed(name: string): FamilyName {
  const family = familyNames.find((each) => each === name);
  if (!family) throw new Problem(`There is no family ${name}. There are ${familyNames.join(', ')}.`);
  return family;
}

/** Returns the family whose orders have the path. Throws a `Problem` if this version of `dgo` knows none. */
export function familyOfPath(path: string): FamilyName {
  const family = familyNames.find((each) => paths[each] === path);
  if (!family) throw new Problem(`This version of dgo cannot order at ${path}.`);
  return family;
}

/** Returns the order with the id, whatever its family. Throws a `Problem` if there is none. */
export async function findOrder(client: DigitalGoods, id: number): Promise<AnyOrder> {
  for (const family of familyNames) {
    try {
      return await ordersOf(client, family).get(id);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }
  throw new Problem(`You have no order ${id}.`);
}
