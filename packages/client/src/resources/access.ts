/** API keys, allowed networks, members, recipients and activity. The key of the client needs the scope `admin`. */
import type { Api, Query } from '../api.ts';
import type {
  Activity as ActivityEntry,
  AllowedNetworks as Networks,
  ApiKey,
  ApiKeyRequest,
  CreatedApiKey,
  Member,
  MemberChange,
  MemberRequest,
  RecipientErasure,
  RecipientErasureRequest,
} from '../models.ts';
import type { List } from '../pages.ts';
import type { CallOptions } from '../transport.ts';

export class ApiKeys {
  constructor(private readonly api: Api) {}

  /** Lists keys, newest first, ended ones included. */
  list(query: Query<'/api/v1/api-keys'> = {}, options?: CallOptions): List<ApiKey> {
    return this.api.list('/api/v1/api-keys', query, options);
  }

  /** Creates a key. The response alone holds its `api_secret`. By default the key has every scope but `admin`. */
  create(body: ApiKeyRequest = {}, options?: CallOptions): Promise<CreatedApiKey> {
    return this.api.act('post', '/api/v1/api-keys', { body }, 'unless-carried-out', options);
  }

  /** Replaces a key. The response alone holds the `api_secret` of the new key. The old key expires after the overlap (24 hours). */
  roll(id: number, overlapHours?: number, options?: CallOptions): Promise<CreatedApiKey> {
    const body = overlapHours === undefined ? {} : { overlap_hours: overlapHours };
    const path = '/api/v1/api-keys/{id}/roll';
    return this.api.act('post', path, { inPath: { id }, body }, 'unless-carried-out', options);
  }

  /** Revokes a key and ends its sessions. Does nothing if it is revoked already. */
  revoke(id: number, options?: CallOptions): Promise<ApiKey> {
    return this.api.act('post', '/api/v1/api-keys/{id}/revoke', { inPath: { id } }, 'always', options);
  }
}

/** The networks from which orders are accepted. */
export class AllowedNetworks {
  constructor(private readonly api: Api) {}

  get(options?: CallOptions): Promise<Networks> {
    return this.api.get('/api/v1/allowed-networks', {}, options);
  }

  /** Replaces the list. Empty allows every address. */
  set(networks: readonly string[], options?: CallOptions): Promise<Networks> {
    const body = { networks: [...networks] };
    return this.api.act('put', '/api/v1/allowed-networks', { body }, 'always', options);
  }
}

/** The people who use the console. */
export class Members {
  constructor(private readonly api: Api) {}

  /** Lists members, newest first. Removed ones are absent. */
  list(query: Query<'/api/v1/members'> = {}, options?: CallOptions): List<Member> {
    return this.api.list('/api/v1/members', query, options);
  }

  /** Invites a member by email, for 7 days. Repeated, it renews the invitation. */
  invite(body: MemberRequest, options?: CallOptions): Promise<Member> {
    return this.api.act('post', '/api/v1/members', { body }, 'unless-carried-out', options);
  }

  /** Changes name, role or state. It applies to the next call of the member. */
  change(id: number, body: MemberChange, options?: CallOptions): Promise<Member> {
    return this.api.act('patch', '/api/v1/members/{id}', { inPath: { id }, body }, 'always', options);
  }

  /** Forgets the wrong codes for a member, who then gets codes in new browsers again. */
  unlock(id: number, options?: CallOptions): Promise<Member> {
    return this.api.act('post', '/api/v1/members/{id}/unlock', { inPath: { id } }, 'unless-carried-out', options);
  }

  /** Removes a member, or withdraws the invitation. */
  async remove(id: number, options?: CallOptions): Promise<void> {
    await this.api.act('delete', '/api/v1/members/{id}', { inPath: { id } }, 'unless-carried-out', options);
  }
}

/** The people to whom orders were delivered. */
export class Recipients {
  constructor(private readonly api: Api) {}

  /** Erases a recipient, named by `email` or `phone_number`, from all your orders. It cannot be undone. */
  erase(body: RecipientErasureRequest, options?: CallOptions): Promise<RecipientErasure> {
    return this.api.act('post', '/api/v1/recipients/erase', { body }, 'always', options);
  }
}

export class Activity {
  constructor(private readonly api: Api) {}

  /** Lists sign-ins, changes of keys, networks, members and endpoints, and other audited calls, newest first. */
  list(query: Query<'/api/v1/activity'> = {}, options?: CallOptions): List<ActivityEntry> {
    return this.api.list('/api/v1/activity', query, options);
  }
}
