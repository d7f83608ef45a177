/** The sandbox controls. In production every call returns 404. docs/clients/sandbox.md. */
import type { Api } from '../api.ts';
import type { EsimOrder, SandboxScenario, TopupOrder, VoucherOrder, Wallet } from '../models.ts';
import type { CallOptions } from '../transport.ts';

export class Sandbox {
  constructor(private readonly api: Api) {}

  /** Lists the scenarios: what to order for each outcome. */
  scenarios(options?: CallOptions): Promise<SandboxScenario[]> {
    return this.api.get('/api/v1/sandbox/scenarios', {}, options);
  }

  /** Credits a wallet. */
  fund(walletId: number, amount: number, options?: CallOptions): Promise<Wallet> {
    const call = { inPath: { id: walletId }, body: { amount } };
    return this.api.act('post', '/api/v1/sandbox/wallets/{id}/fund', call, 'unless-carried-out', options);
  }

  /** Installs the profile of a delivered eSIM. */
  installEsim(orderId: number, options?: CallOptions): Promise<EsimOrder> {
    return this.changeEsim('/api/v1/sandbox/esims/{order_id}/install', orderId, options);
  }

  /** Uses the first data of an installed eSIM. */
  useEsim(orderId: number, options?: CallOptions): Promise<EsimOrder> {
    return this.changeEsim('/api/v1/sandbox/esims/{order_id}/use', orderId, options);
  }

  /** Uses up the data of an eSIM. */
  depleteEsim(orderId: number, options?: CallOptions): Promise<EsimOrder> {
    return this.changeEsim('/api/v1/sandbox/esims/{order_id}/deplete', orderId, options);
  }

  /** Cancels an open order of any family, as an operator can. */
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
