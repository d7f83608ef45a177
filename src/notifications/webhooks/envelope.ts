/** The event envelope, as delivered by webhook or returned by the API. docs/specification.md#events. */
import type { StoredEvent } from '../../data/webhooks/events';
import { shownIccid } from '../../domain/esims/profile-codes';
import { payloadOf } from '../../domain/webhooks/event-payloads';
import { esimField, type Sealer } from '../../security/sealing';

export interface Envelope {
  id: string;
  type: string;
  /** RFC 3339. */
  created_at: string;
  data: Record<string, unknown>;
}

/** The envelope to send. Throws if the ICCID cannot be decrypted. */
export function envelopeToSend(sealer: Sealer, event: StoredEvent): Envelope {
  return envelopeOf(event, (place, sealed) => sealer.openOptional(place, sealed));
}

/** The envelope to show. An ICCID that cannot be decrypted is null. */
export function envelopeToRead(sealer: Sealer, event: StoredEvent): Envelope {
  return envelopeOf(event, (place, sealed) => sealer.openForView(place, sealed));
}

function envelopeOf(event: StoredEvent, open: (place: string, sealed: Buffer | null) => string | null): Envelope {
  const { id, type, createdAt, profileOrderId, iccid } = event;
  const openIccid = () =>
    profileOrderId === null ? undefined : shownIccid(open(esimField(profileOrderId, 'iccid'), iccid));
  return { id, type, created_at: createdAt.toISOString(), data: payloadOf(event, openIccid) };
}
