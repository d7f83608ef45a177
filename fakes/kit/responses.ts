/** Responses with requested faults. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import type { ModeBook, Modes } from './modes';

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
export function withAdditionalFields(value: unknown, { additional_field: isAsked }: Modes): unknown {
  return isAsked ? extended(value) : value;
}

function extended(value: unknown): unknown {
  if (value instanceof BareNumber || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(extended);
  const members = Object.entries(value).map(([name, member]) => [name, extended(member)] as const);
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

/** Sends the result of a purchase that has run, with the faults that the modes ask for. */
export async function sendPurchase(
  response: Response,
  { status, body }: { status: number; body: unknown },
  modes: ModeBook,
  sku: string,
  errorUnder200: unknown,
): Promise<void> {
  const { slow_ms: slow } = modes.of(sku);
  if (slow) await sleep(slow, undefined, { ref: false });
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
export function sendJson(response: Response, status: number, body: unknown, modes: Modes = {}): void {
  response
    .status(status)
    .type('json')
    .send(jsonOf(withAdditionalFields(body, modes)));
}
