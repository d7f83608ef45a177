/** The sign-in of clients' members, and what this process knows about its sessions. */
import { LRUCache } from 'lru-cache';
import { hour } from '../../domain/time';
import type { Identity } from '../../identity/identity';

export interface MemberDoor {
  identity: Pick<Identity, 'router' | 'sessionOf' | 'isAlive' | 'sessionsOf' | 'endSession'>;
  /** The codes that were shown to members, so that a page that reads an order again and again is one entry of the audit. */
  shownCodes: LRUCache<string, true>;
}

export function memberDoor(identity: MemberDoor['identity']): MemberDoor {
  return { identity, shownCodes: new LRUCache({ max: 10_000, ttl: hour }) };
}
