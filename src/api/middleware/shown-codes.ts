import type { Response } from 'express';
import { LRUCache } from 'lru-cache';
import { recordAudit } from '../../data/audit/audit-entries';
import type { Database } from '../../data/database/database';
import { hour } from '../../domain/time';
import { callerOf } from './caller';

/** Audits the codes that members are shown. Keys read codes all the time: those are not audited. */
export class ShownCodes {
  /** A page that reads an order again and again is one entry of the audit in an hour. */
  private readonly recent = new LRUCache<string, true>({ max: 10_000, ttl: hour });

  constructor(private readonly database: Database) {}

  /** Audits that the caller, if it is a member, is shown the codes of an object, such as `order/17`. */
  async record(response: Response, object: string): Promise<void> {
    const caller = callerOf(response.req, response);
    if (caller.memberId === null) return;
    const key = `${caller.memberId} ${object}`;
    if (this.recent.get(key)) return;
    await recordAudit(this.database, caller, { action: 'codes.shown', object });
    this.recent.set(key, true);
  }
}
