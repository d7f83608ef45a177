/**
 * The limits of webhook endpoints. docs/clients/webhooks.md.
 * Rule: how many endpoints, replays and signing secrets a client has, and how long a replaced secret signs
 */
import { day } from '../time';

/** The maximum number of endpoints of a client. */
export const MAX_ENDPOINTS = 20;

/** The maximum number of unfinished replays of a client, each to a different endpoint. */
export const MAX_OPEN_REPLAYS = 5;

/** How long a rotated secret still signs alongside its successors. */
export const SECRET_OVERLAP_MS = day;

/** The maximum number of rotated secrets that sign alongside the newest one. Each lengthens the signature header. */
export const MAX_PREVIOUS_SECRETS = 10;
