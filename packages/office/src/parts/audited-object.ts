type InWords = (parts: readonly string[], row: Readonly<Record<string, unknown>>) => string;

const ofProduct =
  (what: string): InWords =>
  ([client, family, product], row) => {
    const named = (name: string, id: string) => {
      const value = row[name];
      return typeof value === 'string' ? value : id;
    };
    return `${what} of ${named('client', `client ${client}`)} on ${named('product', `${family} product ${product}`)}`;
  };
const ofPair =
  (what: string): InWords =>
  ([source, destination]) =>
    `${what} ${source}/${destination}`;

/** Of objects that a kind and an id do not describe. The id of a session tells a reader nothing. */
const objects = new Map<string, InWords>([
  ['session', () => 'Session'],
  ['order_refund', ([order, number]) => `Refund ${number} of order ${order}`],
  ['transaction', ([id]) => `Ledger entry ${id}`],
  ['attention', ([id]) => `Attention entry ${id}`],
  ['attention_taking', ([id]) => `Attention entry ${id}`],
  ['attention_note', ([id]) => `Note ${id}`],
  ['discount', ofProduct('Discount')],
  ['blacklist', ofProduct('Block')],
  ['rate', ofPair('Rate')],
  ['reference_rate', ofPair('Reference rate')],
  ['fee', ofPair('Fee')],
]);

/**
 * What an entry of the audit is about, such as `Refund 2 of order 13` for `order_refund/13/2`. Undefined for an object that its kind and
 * id describe.
 */
export function specialObject(object: string, row: Readonly<Record<string, unknown>>): string | undefined {
  const [kind = '', ...parts] = object.split('/');
  return objects.get(kind)?.(parts, row);
}
