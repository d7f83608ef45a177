/** Webhook endpoints and the event log. docs/clients/webhooks.md. */
import type { Answer, Api, Query } from '../api.ts';
import { NotFoundError } from '../errors.ts';
import type {
  CreatedWebhookEndpoint,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointRequest,
  WebhookEvent,
  WebhookEventDetail,
  WebhookResend,
  WebhookSecret,
} from '../models.ts';
import type { List } from '../pages.ts';
import type { CallOptions } from '../transport.ts';

export class Webhooks {
  readonly endpoints: WebhookEndpoints;
  readonly events: WebhookEvents;

  constructor(api: Api) {
    this.endpoints = new WebhookEndpoints(api);
    this.events = new WebhookEvents(api);
  }
}

class WebhookEndpoints {
  constructor(private readonly api: Api) {}

  list(query: Query<'/api/v1/webhooks/endpoints'> = {}, options?: CallOptions): List<WebhookEndpoint> {
    return this.api.list('/api/v1/webhooks/endpoints', query, options);
  }

  get(id: number, options?: CallOptions): Promise<WebhookEndpoint> {
    return this.api.get('/api/v1/webhooks/endpoints/{id}', { id }, options);
  }

  /** Registers an endpoint. The response holds the `secret` that `verifyWebhook` needs. */
  create(body: WebhookEndpointRequest, options?: CallOptions): Promise<CreatedWebhookEndpoint> {
    const path = '/api/v1/webhooks/endpoints';
    return this.api.act('post', path, { body }, 'unless-carried-out', options);
  }

  /** Changes the given fields. */
  update(id: number, body: WebhookEndpointChange, options?: CallOptions): Promise<WebhookEndpoint> {
    const path = '/api/v1/webhooks/endpoints/{id}';
    return this.api.act('patch', path, { inPath: { id }, body }, 'always', options);
  }

  /** Deletes an endpoint. Does nothing if it is already deleted. */
  async delete(id: number, options?: CallOptions): Promise<void> {
    const path = '/api/v1/webhooks/endpoints/{id}';
    try {
      await this.api.act('delete', path, { inPath: { id } }, 'always', options);
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw error;
    }
  }

  secret(id: number, options?: CallOptions): Promise<WebhookSecret> {
    return this.api.get('/api/v1/webhooks/endpoints/{id}/secret', { id }, options);
  }

  /** Creates a new secret. The service signs with both for 24 hours. */
  rotateSecret(id: number, options?: CallOptions): Promise<WebhookSecret> {
    const path = '/api/v1/webhooks/endpoints/{id}/secret/rotate';
    return this.api.act('post', path, { inPath: { id } }, 'unless-carried-out', options);
  }

  /** Sends `webhook.test`. */
  test(id: number, options?: CallOptions): Promise<WebhookEvent> {
    const path = '/api/v1/webhooks/endpoints/{id}/test';
    return this.api.act('post', path, { inPath: { id } }, 'unless-carried-out', options);
  }

  /** Sends every event since `since` again, delivered or not. */
  replay(
    id: number,
    since: Date,
    options?: CallOptions,
  ): Promise<Answer<'/api/v1/webhooks/endpoints/{id}/replay', 'post'>> {
    const path = '/api/v1/webhooks/endpoints/{id}/replay';
    const body = { since: since.toISOString() };
    return this.api.act('post', path, { inPath: { id }, body }, 'unless-carried-out', options);
  }
}

class WebhookEvents {
  constructor(private readonly api: Api) {}

  /** Lists the events of the last 90 days, newest first, with or without an endpoint that received them. */
  list(query: Query<'/api/v1/webhooks/events'> = {}, options?: CallOptions): List<WebhookEvent> {
    return this.api.positionedList('/api/v1/webhooks/events', query, options);
  }

  /** Reads an event with its delivery attempts. */
  get(id: string, options?: CallOptions): Promise<WebhookEventDetail> {
    return this.api.get('/api/v1/webhooks/events/{id}', { id }, options);
  }

  /** Lists the events that redeliveries and replays sent again since `since`, the newest request first. */
  resends(since: Date, options?: CallOptions): List<WebhookResend> {
    const query = { since: since.toISOString(), per_page: 100 };
    return this.api.list('/api/v1/webhooks/resends', query, options);
  }

  /** Sends an event again to every endpoint that listens to its type. */
  redeliver(id: string, options?: CallOptions): Promise<Answer<'/api/v1/webhooks/events/{id}/redeliver', 'post'>> {
    const path = '/api/v1/webhooks/events/{id}/redeliver';
    return this.api.act('post', path, { inPath: { id } }, 'unless-carried-out', options);
  }
}
