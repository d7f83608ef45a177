/** Responses with requested faults. */
import type { Request, RequestHandler, Response } from 'express';
import type { ModeBook, Modes } from './modes';
import { pause } from './times';

/** Digits that `jsonOf` writes exactly, as a JSON number of any length: `{"iccid": 8944000000000801234}`. */
export class BareNumber {
  constructor(readonly digits: string) {}
}

/**
 * Writes digits as text, or as a JSON number in mode `numbers`. A JSON number loses the leading zeros, because JSON forbids them.
 */
export type Digits = (text: string) => string | BareNumber;

export function digitsIn({ numbers }: Modes): Digits {
  return (text) => (numbers && /^\d+$/.test(text) ? new BareNumber(text.replace(/^0+(?=\d)/, '')) : text);
}

/** The JSON text of the value, with every `BareNumber` as its digits. */
export function jsonOf(value: unknown): string {
  const mark = '\u0001';
  const text = JSON.stringify(value, (_key, member: unknown) =>
    member instanceof BareNumber ? `${mark}${member.digits}${mark}` : member,
  );
  return text.replaceAll(/"\\u0001(\d+)\\u0001"/g, '$1');
}

/** The value, in mode `additional_field` with an additional field in every object, at every depth. */
export function withAdditionalFields(value: object, { additional_field: isAsked }: Modes): object {
  return isAsked ? extended(value) : value;
}

function extended(value: object): object {
  if (value instanceof BareNumber) return value;
  const member = (one: unknown): unknown => (typeof one === 'object' && one !== null ? extended(one) : one);
  if (Array.isArray(value)) return value.map(member);
  const members = Object.entries(value).map(([name, one]) => [name, member(one)] as const);
  return { ...Object.fromEntries(members), eleventh_field: { since: 'today' } };
}

/** Sends the page of a gateway if the mode asks for it. Returns true if so; the call then has no effect. */
export function sentGatewayPage(response: Response, modes: ModeBook, sku: string): boolean {
  const gateway = modes.take(sku, 'gateway');
  if (!gateway) return false;
  response.status(gateway.status).type('html').send('<html><body><h1>Error</h1></body></html>');
  return true;
}

/** Sends the page of a gateway in place of calls. `skuOf` tells which product's modes apply to a call. */
export function behindGateway(modes: ModeBook, skuOf: (request: Request) => string): RequestHandler {
  return (request, response, next) => {
    if (!sentGatewayPage(response, modes, skuOf(request))) next();
  };
}

/** The time by which an early webhook precedes the response. */
const earlyMs = 250;

export interface PurchaseResponse {
  readonly status: number;
  readonly body: object;
  /** The body of an error in mode `nonsense`. */
  readonly errorUnder200: object;
  /** Ends the purchase, which sends its webhook. */
  readonly finish?: () => void;
}

/** Sends the result of a purchase that has run, with the faults that the modes ask for. */
export async function sendPurchase(
  response: Response,
  { status, body, errorUnder200, finish }: PurchaseResponse,
  modes: ModeBook,
  sku: string,
): Promise<void> {
  const { slow_ms: slow, webhook } = modes.of(sku);
  if (finish && webhook === 'early') {
    finish();
    await pause(earlyMs);
  }
  if (slow) await pause(slow);
  if (modes.takeLostResponse(sku)) return void response.socket?.resetAndDestroy();
  const text = jsonOf(withAdditionalFields(body, modes.of(sku)));
  const nonsense = modes.take(sku, 'nonsense');
  if (!nonsense) return void response.status(status).type('json').send(text);
  const forms = {
    'error-under-200': jsonOf(errorUnder200),
    'half-json': text.slice(0, Math.floor(text.length / 2)),
    empty: '',
  };
  response.status(200).type('json').send(forms[nonsense.form]);
}

/** Sends any other response, with the additional fields that the modes ask for. */
export function sendJson(response: Response, status: number, body: object, modes: Modes = {}): void {
  response
    .status(status)
    .type('json')
    .send(jsonOf(withAdditionalFields(body, modes)));
}
