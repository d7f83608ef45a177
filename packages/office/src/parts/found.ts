/** What `search` finds. */
import { featureOf } from '../families';
import { hrefOf } from '../route';

export interface Found {
  by: string;
  kind: 'order' | 'client' | 'wallet' | 'claim' | 'endpoint' | 'supplier' | 'product' | 'member' | 'operator';
  /** Null for a supplier and an operator. */
  id: number | null;
  /** Of anything but an order and a client that are found by themselves. */
  name: string | null;
  /** Of a product. */
  family: string | null;
  order: {
    id: number;
    status: string;
    product_name: string;
    client: string;
    client_reference: string | null;
    placed_at: string;
  } | null;
  client: { id: number; name: string; status: string } | null;
  /** The gift card that has the code. */
  unit: number | null;
  /** Where this card or the claim stands. */
  state: string | null;
  transaction: { id: number; wallet_id: number; kind: string; amount: string; currency: string } | null;
}

export interface SearchResult {
  found: Found[];
  not_searched: { by: string; why: string }[];
}

/** The page about what was found. A wallet, an endpoint and a member stand on the page of their client. */
export function hrefOfFound({ kind, id, name, family, client }: Found): string {
  if (kind === 'order' && id !== null) return hrefOf('orders', id);
  if (kind === 'product' && id !== null && family !== null)
    return hrefOf('catalogue', 'products', featureOf(family), id);
  if (kind === 'claim' && id !== null) return hrefOf('claims', id);
  if (kind === 'supplier' && name !== null) return hrefOf('suppliers', name);
  return client ? hrefOf('clients', client.id) : hrefOf('people');
}
