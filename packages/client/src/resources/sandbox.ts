/** What a client rehearses by itself. Only a sandbox has it: elsewhere every call is answered 404. docs/clients/sandbox.md. */
import type { Api } from '../api.ts';
import type { EsimOrder, SandboxScenario, TopupOrder, VoucherOrder, Wallet } from '../models.ts';
import type { CallOptions } from '../transport.ts';

export class Sandbox {
  constructor(private readonly api: Api) {}

  /** What to order, to see what becomes of it. */
  scenarios(options?: CallOptions): Promise<SandboxScenario[]> {
    return this.api.get('/api/v1/sandbox/scenarios', {}, options);
  }

  /** Puts money into a wallet. */
  fund(walletId: number, amount: number, options?: CallOptions): Promise<Wallet> {
    const call = { inPath: { id: walletId }, body: { amount } };
    return this.api.act('post', '/api/v1/sandbox/wallets/{id}/fund', call, 'unless-carried-out', options);
  }

  /** As if a device had downloaded the profile of a delivered eSIM. */
  installEsim(orderId: number, options?: CallOptions): Promise<EsimOrder> {
    return this.changeEsim('/api/v1/sandbox/esims/{order_id}/install', orderId, options);
  }

  /** As if it had used its first data. */
  useEsim(orderId: number, options?: CallOptions): Promise<EsimOrder> {
    return this.changeEsim('/api/v1/sandbox/esims/{order_id}/use', orderId, options);
  }

  /** As if its data were used up. */
  depleteEsim(orderId: number, options?: CallOptions): Promise<EsimOrder> {
    return this.changeEsim('/api/v1/sandbox/esims/{order_id}/deplete', orderId, options);
  }

  /** Calls an order of any family off, as our operators can. */
  cancelOrder(id: number, options?: CallOptions): Promise<VoucherOrder | TopupOrder | EsimOrder> {
    const path = '/api/v1/sandbox/orders/{id}/cancel';
    return this.api.act('post', path, { inPath: { id } }, 'unless-carried-out', options);
  }

  private changeEsim(
    path: `/api/v1/sandbox/esims/{order_id}/${'install' | 'use' | 'deplete'}`,
    orderId: number,
    options?: CallOptions,
  ): Promise<EsimOrder> {
    return this.api.act('post', path, { inPath: { order_id: orderId } }, 'unless-carried-out', options);
  }
}
