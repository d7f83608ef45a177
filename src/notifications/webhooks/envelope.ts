/** An event as clients see it, sent or read. Specification, "Events". */
import type { StoredEvent } from '../../data/webhooks/deliveries';
import { failureMeaning, isFailureCode } from '../../domain/failure-codes';
import { esimField } from '../../security/places';
import type { Sealer } from '../../security/sealing';

export interface Envelope {
  id: string;
  type: string;
  /** RFC 3339. */
  created_at: string;
  data: Record<string, unknown>;
}

/** The envelope. What the stored event does not hold is filled in here: an ICCID, the meaning of a failure code. */
export function envelopeOf(sealer: Sealer, event: StoredEvent): Envelope {
  const { id, type, createdAt, data } = event;
  const filled = { ...data, ...iccidOf(sealer, event), ...meaningOf(data) };
  return { id, type, created_at: createdAt.toISOString(), data: filled };
}

/** Sealed at rest, so that neither the log nor its backups hold it in the clear. */
function iccidOf(sealer: Sealer, { type, orderId, iccid }: StoredEvent): object {
  if (!type.startsWith('esim.') || orderId === null) return {};
  return { iccid: sealer.openOptional(esimField(orderId, 'iccid'), iccid) };
}

function meaningOf({ failure_code: code }: Record<string, unknown>): object {
  if (typeof code !== 'string' || !isFailureCode(code)) return {};
  const { reason, userFixable } = failureMeaning(code);
  return { failure_reason: reason, is_user_fixable: userFixable };
}
