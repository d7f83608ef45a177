/** Airalo without its API: a proxy answers every call as a test says. */
import { purchaseReference } from '../../src/domain/orders/order-ids';
import { createAiraloSupplier } from '../../src/suppliers/airalo';
import { stateOfOneProcess } from '../../dev/trial/state-of-one-process';
import type { SharedState } from '../../src/domain/suppliers/shared-state';
import type { PurchaseRequest, Supplier } from '../../src/domain/suppliers/port';
import { HostileProxy, type Forged, type PassedRequest } from './hostile-proxy';

export const clientId = 'id-of-the-tests';
export const clientSecret = 'secret-of-the-tests';
export const iccid = '8944000000000801234';
export const reference = purchaseReference(17, 'nonce1234567', 1);
export const request: PurchaseRequest = {
  reference,
  family: 'ESIM',
  sku: 'change-7days-1gb',
  units: 1,
  unitValue: '4.5',
  currency: 'USD',
};

/** A response of JSON. */
export const jsonOf = (status: number, body: unknown, headers = {}): Forged => ({
  status,
  headers,
  body: JSON.stringify(body),
});
/** A result in Airalo's envelope. */
export const success = (data: unknown, more = {}) => jsonOf(200, { data, meta: { message: 'success' }, ...more });
/** A rejection with a code. */
export const business = (code: number, status = 422) => jsonOf(status, { code, reason: 'No.' });
/** A rejection of fields. */
export const validation = (data: Record<string, string>) =>
  jsonOf(422, { data, meta: { message: 'The parameter is invalid' } });

export const sim = { id: 1, iccid, lpa: 'lpa.airalo.com', matching_id: 'TEST', qrcode: 'LPA:1$lpa.airalo.com$TEST' };
/** The order of `request`. */
export const order = {
  id: 9666,
  code: '20230227-009666',
  currency: 'USD',
  package_id: request.sku,
  quantity: '1',
  type: 'sim',
  description: reference,
  price: 4.5,
  net_price: 3.6,
  created_at: '2026-09-27 08:30:26',
  sims: [sim],
};

export class ScriptedAiralo {
  /** The next responses to calls other than those for a token. The last one repeats. */
  answers: Forged[] = [];
  tokenAnswer = success({ token_type: 'Bearer', expires_in: 31_622_400, access_token: 'token-1' });
  /** The calls per second of each awaited turn. */
  readonly turns: number[] = [];
  supplier: Supplier;

  private constructor(readonly proxy: HostileProxy) {
    proxy.meddle = ({ path }) => {
      if (path === '/v2/token') return { do: 'answer-instead', answer: this.tokenAnswer };
      const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
      return answer ? { do: 'answer-instead', answer } : { do: 'lose-request' };
    };
    this.supplier = this.newSupplier(this.quickState());
  }

  /** Close its proxy after use. */
  static async open(): Promise<ScriptedAiralo> {
    return new ScriptedAiralo(await HostileProxy.before(() => 'http://127.0.0.1:1'));
  }

  newSupplier(state: SharedState): Supplier {
    const common = { environment: 'sandbox', purchaseTimeoutMs: 2_000, lookupTimeoutMs: 2_000 } as const;
    return createAiraloSupplier({ url: `${this.proxy.url}/v2`, clientId, clientSecret, ...common }, state);
  }

  /** A state without a limit of calls, which would slow the tests down. */
  quickState(): SharedState {
    return { ...stateOfOneProcess(), turn: async (perSecond) => void this.turns.push(perSecond) };
  }

  requestsTo(path: string): PassedRequest[] {
    return this.proxy.requests.filter((one) => one.path.startsWith(path));
  }

  /** The report, or the error that the adapter throws. */
  async buy(special: Partial<PurchaseRequest> = {}): Promise<unknown> {
    return this.supplier.purchase({ ...request, ...special }, () => true).catch((error: unknown) => error);
  }

  /** The report, or the error that the adapter throws. */
  async find(): Promise<unknown> {
    const { family, sku, units } = request;
    return this.supplier.find({ reference, family, sku, units }).catch((error: unknown) => error);
  }
}
