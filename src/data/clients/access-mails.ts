/** The due mails about changes of clients' keys, networks, members and endpoints, and invitations of members. Triggers write them (`rules/recipients-of-access-mails.sql`). */
import type { MemberRole, MemberState } from '../../domain/clients/member-limits';
import type { Scope } from '../../domain/clients/scopes';
import type { DueMails } from '../maintenance/due-mails';

/** A key after its change. */
interface ChangedKey {
  api_key: string;
  label: string | null;
  scopes: Scope[];
  /** RFC 3339; null for never. */
  expires_at: string | null;
}

interface ChangedMember {
  email: string;
  name: string;
  role: MemberRole;
  state: MemberState | 'REMOVED';
}

interface ChangedEndpoint {
  id: number;
  /** Without path and query, which may hold a secret. */
  origin: string;
  enabled: boolean;
  change: 'ADDED' | 'CHANGED' | 'DELETED';
}

export interface Invitation extends ChangedMember {
  /** The name of the client. */
  client: string;
  /** RFC 3339. */
  until: string;
}

export type AccessChange =
  | { change: 'KEY_CREATED' | 'KEY_CHANGED' | 'KEY_REVOKED'; details: ChangedKey }
  | { change: 'NETWORKS_CHANGED'; details: { networks: string[] } }
  | { change: 'MEMBER_CHANGED'; details: ChangedMember }
  | { change: 'ENDPOINT_CHANGED'; details: ChangedEndpoint }
  | { change: 'INVITATION'; details: Invitation };

export type AccessMail = AccessChange & {
  id: number;
  clientId: number;
  changedAt: Date;
  /** Who gets it: an admin of the client or its contact, or the invited person. */
  email: string;
};

/** Invitations go first, because people wait for them. */
export const accessMails: DueMails<AccessMail> = {
  table: 'access_mails',
  key: 'id',
  changedAt: 'changed_at',
  sequence: `change <> 'INVITATION', due_at`,
  fields: {
    id: 'mail.id',
    clientId: 'mail.client_id',
    change: 'mail.change',
    details: 'mail.details',
    changedAt: 'mail.changed_at',
    email: 'mail.recipient',
  },
};
