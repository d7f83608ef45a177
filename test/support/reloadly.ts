/** The helpers of a buyer at Reloadly. */
import { buysFrom, instead } from './fake-suppliers';
import type { PassedRequest } from './hostile-proxy';
import type { LookupReport, PurchaseRequest } from '../../src/domain/suppliers/port';

/** Declares the hooks of the file that imports it. */
export const shop = buysFrom('reloadly');
export const { misbehave, salesOf, requestOf, buy, outcome, find, concluded } = shop;

export const card = { family: 'VOUCHER', sku: 'gift:101:EUR:25', units: 1, unitValue: '25', currency: 'EUR' } as const;
export const topup = {
  family: 'TOPUP',
  sku: 'topup:201:IN:INR',
  units: 1,
  unitValue: '100',
  currency: 'INR',
  input: { phone_number: '+919820000555' },
} as const;
export const bill = {
  family: 'TOPUP',
  sku: 'bill:302:NGN',
  units: 1,
  unitValue: '5000.50',
  currency: 'NGN',
  input: { account_number: '04512345678' },
} as const;

/** Buys, and looks the accepted purchase up until it has ended. */
export async function bought(request: PurchaseRequest): Promise<LookupReport> {
  const report = await buy(request);
  expect(report).toMatchObject({ state: 'PENDING', supplierOrderId: expect.any(String) as string });
  return concluded(request, report.supplierOrderId);
}

export const isPurchase = ({ method, path }: PassedRequest) => method === 'POST' && !path.startsWith('/auth');
export const isOfCards = ({ path }: PassedRequest) => path.endsWith('/cards');
export const isSearch = ({ path }: PassedRequest) => path.includes('transactions?');
export const isStatus = ({ path }: PassedRequest) => path.endsWith('/status');

export const refusal = (errorCode: string | null, message = 'No.') =>
  JSON.stringify({
    timeStamp: '2026-10-08 10:00:00',
    message,
    path: '/orders',
    errorCode,
    infoLink: null,
    details: [],
  });
/** Replaces the responses to the requests. */
export function replace(isMeant: (request: PassedRequest) => boolean, status: number, body: unknown): void {
  shop.proxy.meddle = (request) => (isMeant(request) ? instead(status, body) : undefined);
}
