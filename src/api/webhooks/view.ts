import type { Endpoint } from '../../data/webhooks/endpoints';
import type { EventAttempt, EventDelivery } from '../../data/webhooks/events';
import { isSuccess } from '../../domain/webhooks';

/** An endpoint as its client sees it, without its secret. */
export function endpointView(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    event_types: endpoint.eventTypes,
    enabled: endpoint.enabled,
    disabled_reason: endpoint.disabledReason,
    failing_since: endpoint.failingSince?.toISOString() ?? null,
    verified_at: endpoint.verifiedAt?.toISOString() ?? null,
    created_at: endpoint.createdAt.toISOString(),
    updated_at: endpoint.updatedAt.toISOString(),
  };
}

const statuses = {
  DUE: 'PENDING',
  RETRY: 'PENDING',
  DELIVERED: 'DELIVERED',
  FAILED: 'FAILED',
  SKIPPED: 'SKIPPED',
} as const;

/** The delivery of an event to one endpoint. */
export function deliveryView({ endpointId, state, attempts, nextAttemptAt }: EventDelivery) {
  return {
    endpoint_id: endpointId,
    status: statuses[state],
    tries: attempts,
    next_try_at: nextAttemptAt?.toISOString() ?? null,
  };
}

/** One attempt. Shows the status of the response and nothing else of it. */
export function attemptView({ endpointId, attemptedAt, durationMs, responseStatus, error }: EventAttempt) {
  return {
    endpoint_id: endpointId,
    attempted_at: attemptedAt.toISOString(),
    duration_ms: durationMs,
    success: isSuccess({ status: responseStatus }),
    response_status: responseStatus,
    error,
  };
}
