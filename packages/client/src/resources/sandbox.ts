/** The sandbox controls. In production every call returns 404. docs/clients/sandbox.md. */
import type { Api } from '../api.ts';
import type { Claim, EsimOrder, FundingRequest, SandboxScenario, TopupOrder, VoucherOrder, Wallet } from '../models.ts';
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

  /** Credits a funding request, as if the transfer had arrived. */
  payFunding(id: number, options?: CallOptions): Promise<FundingRequest> {
    const path = '/api/v1/sandbox/funding-requests/{id}/pay';
    return this.api.act('post', path, { inPath: { id } }, 'unless-carried-out', options);
  }

  /** Installs the profile of a delivered eSIM. */
  installEsim(orderId: number, options?: CallOptions): Promise<EsimOrder> {
    return this.changeEsim('/api/v1/sandbox/esims/{order_id}/install', orderId, options);
  }

  /** Uses the first data of an eSIM. */
  useEsim(orderId: number, options?: CallOptions): Promise<EsimOrder> {
    return this.changeEsim('/api/v1/sandbox/esims/{order_id}/use', orderId, options);
  }

  /** Uses the given amount of data of an eSIM. A call whose response was lost is not repeated, because each call adds up. */
  useEsimData(orderId: number, megabytes: number, options?: CallOptions): Promise<EsimOrder> {
    const call = { inPath: { order_id: orderId }, body: { megabytes } };
    const path = '/api/v1/sandbox/esims/{order_id}/use';
    return this.api.act('post', path, call, 'unless-carried-out', options) as Promise<EsimOrder>;
  }

  /** Uses up the data of an eSIM. */
  depleteEsim(orderId: number, options?: CallOptions): Promise<EsimOrder> {
    return this.changeEsim('/api/v1/sandbox/esims/{order_id}/deplete', orderId, options);
  }

  /** Ends the validity of an installed eSIM, whatever data is left. */
  expireEsim(orderId: number, options?: CallOptions): Promise<EsimOrder> {
    return this.changeEsim('/api/v1/sandbox/esims/{order_id}/expire', orderId, options);
  }

  /** Cancels an open order of any family, as an operator can. */
  cancelOrder(id: number, options?: CallOptions): Promise<VoucherOrder | TopupOrder | EsimOrder> {
    return this.decide('/api/v1/sandbox/orders/{id}/cancel', id, options);
  }

  /** Releases an order that is under review, as an operator can: it is bought now. */
  releaseOrder(id: number, options?: CallOptions): Promise<VoucherOrder | TopupOrder | EsimOrder> {
    return this.decide('/api/v1/sandbox/orders/{id}/release', id, options);
  }

  /** Accepts a claim by a refund, as an operator can. */
  refundClaim(id: number, options?: CallOptions): Promise<Claim> {
    return this.decideClaim('/api/v1/sandbox/claims/{id}/refund', id, options);
  }

  /** Accepts a claim by a replacement, as an operator can: an order of its own, which the claim names. */
  replaceClaim(id: number, options?: CallOptions): Promise<Claim> {
    return this.decideClaim('/api/v1/sandbox/claims/{id}/replace', id, options);
  }

  /** Rejects a claim, as an operator can. */
  rejectClaim(id: number, options?: CallOptions): Promise<Claim> {
    return this.decideClaim('/api/v1/sandbox/claims/{id}/reject', id, options);
  }

  private decideClaim(
    path: `/api/v1/sandbox/claims/{id}/${'refund' | 'replace' | 'reject'}`,
    id: number,
    options?: CallOptions,
  ): Promise<Claim> {
    return this.api.act('post', path, { inPath: { id } }, 'unless-carried-out', options);
  }

  private decide(
    path: `/api/v1/sandbox/orders/{id}/${'cancel' | 'release'}`,
    id: number,
    options?: CallOptions,
  ): Promise<VoucherOrder | TopupOrder | EsimOrder> {
    const sent = this.api.act('post', path, { inPath: { id } }, 'unless-carried-out', options);
    return sent as Promise<VoucherOrder | TopupOrder | EsimOrder>;
  }

  private changeEsim(
    path: `/api/v1/sandbox/esims/{order_id}/${'install' | 'use' | 'deplete' | 'expire'}`,
    orderId: number,
    options?: CallOptions,
  ): Promise<EsimOrder> {
    const call = { inPath: { order_id: orderId } };
    return this.api.act('post', path, call, 'unless-carried-out', options) as Promise<EsimOrder>;
  }
}
