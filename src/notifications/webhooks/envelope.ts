/** An event as clients see it, sent or read. docs/specification.md#events. */
import type { StoredEvent } from '../../data/webhooks/deliveries';
import { failureMeaning, isFailureCode } from '../../domain/orders/failure-codes';
import { esimField } from '../../security/encryption-context';
import type { Sealer } from '../../security/sealing';

export interface Envelope {
  id: string;
  type: string;
  /** RFC 3339. */
  created_at: string;
  data: Record<string, unknown>;
}

/** The envelope as it is sent, which is whole: throws if the ICCID does not open. */
export function envelopeToSend(sealer: Sealer, event: StoredEvent): Envelope {
  return envelopeOf(event, (place, sealed) => sealer.openOptional(place, sealed));
}

/** The envelope as it is read: an ICCID that does not open is null. */
export function envelopeToRead(sealer: Sealer, event: StoredEvent): Envelope {
  return envelopeOf(event, (place, sealed) => sealer.openForView(place, sealed));
}

type Open = (place: string, sealed: Buffer | null) => string | null;

/** What the stored event does not hold is filled in: an ICCID, the meaning of a failure code. */
function envelopeOf(event: StoredEvent, open: Open): Envelope {
  const { id, type, createdAt, data } = event;
  const filled = { ...data, ...iccidOf(event, open), ...meaningOf(data) };
  return { id, type, created_at: createdAt.toISOString(), data: filled };
}

/** Sealed at rest, so that neither the log nor its backups hold it in the clear. */
function iccidOf({ type, orderId, iccid }: StoredEvent, open: Open): object {
  if (!type.startsWith('esim.') || orderId === null) return {};
  return { iccid: open(esimField(orderId, 'iccid'), iccid) };
}

function meaningOf({ failure_code: code }: Record<string, unknown>): object {
  if (typeof code !== 'string' || !isFailureCode(code)) return {};
  const { reason, userFixable } = failureMeaning(code);
  return { failure_reason: reason, is_user_fixable: userFixable };
}
