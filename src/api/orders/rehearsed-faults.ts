/**
 * Rehearsed failures of order requests: a client of a sandbox asks for one with the header `Sandbox-Fault`. The table
 * `sandbox_faults` remembers the requests that had one, because a fault without an order leaves no other trace, and the
 * repetition may reach another process. docs/specification.md#sandbox-faults.
 */
import type { Request, Response } from 'express';
import { withTimeout } from '../../async/promises';
import type { Config } from '../../settings/config';
import type { Database } from '../../data/database/database';
import { claimFault, type RequestNames } from '../../data/clients/sandbox';
import { errors } from '../../domain/errors';
import { isSandboxFault, type SandboxFault } from '../../domain/orders/sandbox-faults';
import { markRehearsed } from '../middleware/order-admission';
import { clientOf } from '../middleware/caller';

/** Seconds in the `Retry-After` of the fault `429`. */
const RETRY_AFTER_SECONDS = 1;
/** For how long the fault `timeout` sends no response: longer than any order request takes. */
const SILENCE_MS = 65_000;
/** The maximum number of waiting requests of one client in this process. */
const MAX_SILENT = 10;

/** The requests without a response, by client. */
export class SilentRequests {
  private readonly waiting = new Map<number, number>();

  constructor(
    private readonly stopping: AbortSignal,
    private readonly silenceMs = SILENCE_MS,
  ) {}

  /** Waits for 65 s, until `gone` or until the process stops. Returns at once if ten requests of the client wait already. */
  async wait(clientId: number, gone: Promise<void>): Promise<void> {
    const before = this.waiting.get(clientId) ?? 0;
    if (before >= MAX_SILENT) return;
    this.waiting.set(clientId, before + 1);
    await withTimeout(gone, this.silenceMs, this.stopping);
    const left = (this.waiting.get(clientId) ?? 1) - 1;
    if (left === 0) this.waiting.delete(clientId);
    else this.waiting.set(clientId, left);
  }
}

/** The faults of a sandbox's API process. */
export class SandboxFaults {
  private readonly silent: SilentRequests;

  constructor(
    private readonly database: Database,
    stopping: AbortSignal,
  ) {
    this.silent = new SilentRequests(stopping);
  }

  /** The fault that the request asks for; undefined without one. Throws 400 for an unknown one. */
  requestedBy(request: Request, response: Response): RequestedFault | undefined {
    const fault = request.get('sandbox-fault');
    if (fault === undefined) return undefined;
    if (!isSandboxFault(fault)) throw errors.badRequest('Invalid Sandbox-Fault', 'Sandbox-Fault');
    return new RequestedFault(fault, response, this.database, this.silent);
  }
}

/** The faults that clients may rehearse; undefined in production, which ignores the header. */
export function sandboxFaultsIn(
  { mode }: Pick<Config, 'mode'>,
  database: Database,
  stopping: AbortSignal,
): SandboxFaults | undefined {
  return mode === 'production' ? undefined : new SandboxFaults(database, stopping);
}

/** The fault of one request. It applies only to the first request with a `client_reference` or an `Idempotency-Key`. */
class RequestedFault {
  private applies = false;

  constructor(
    private readonly fault: SandboxFault,
    private readonly response: Response,
    private readonly database: Database,
    private readonly silent: SilentRequests,
  ) {}

  /** Call it while no order has the reference or the key. Throws the error of a fault that leaves no order. */
  async beforeOrder(names: RequestNames): Promise<void> {
    this.applies = await claimFault(this.database, clientOf(this.response).id, names);
    if (!this.applies) return;
    markRehearsed(this.response);
    if (this.fault === '429') throw errors.tooManyRequests(RETRY_AFTER_SECONDS);
    if (this.fault === '503') throw errors.serviceUnavailable();
    if (this.fault === '504-not-placed') throw errors.outcomeUnknown();
  }

  /**
   * Call it when the order exists and no slot is held. Throws the error of a fault that hides the order. Returns whether the
   * caller still waits for a response.
   */
  async afterOrder(): Promise<boolean> {
    if (!this.applies) return true;
    if (this.fault === '504-placed') throw errors.outcomeUnknown();
    const { socket } = this.response.req;
    if (this.fault === 'reset') socket.resetAndDestroy();
    if (this.fault === 'timeout') {
      const gone = new Promise<void>((resolve) => void socket.once('close', resolve));
      if (!socket.destroyed) await this.silent.wait(clientOf(this.response).id, gone);
    }
    return !socket.destroyed;
  }
}
