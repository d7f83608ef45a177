/** The names of built-in JavaScript properties are not words of a supplier. */
import { classify as ofAiralo } from '../../src/suppliers/airalo/messages';
import { classify as ofDtone } from '../../src/suppliers/dtone/messages';
import { readTransaction } from '../../src/suppliers/dtone/transactions';
import { toRejection } from '../../src/suppliers/reloadly/error-codes';
import { classify as ofZendit } from '../../src/suppliers/zendit/messages';

const rejection = (body: object, status = 400) => ({ status, headers: {}, body, reference: 'order-1' });

test.each(['constructor', 'toString', '__proto__'])(
  'When a supplier sends the word %s, then it has no meaning',
  (word) => {
    expect(ofDtone(rejection({ errors: [{ code: word, message: 'm' }] }))).toBeUndefined();
    expect(ofZendit(rejection({ errorCode: word, message: 'm', fields: {} }))).toBeUndefined();
    expect(ofAiralo(rejection({ code: word, reason: 'r' }, 422))).toBeUndefined();
    const status = { message: 'm', class: { id: word } };
    expect(readTransaction({ id: '1', external_id: 'order-1', status })?.state).toBeUndefined();
    expect(toRejection(word, 'UNKNOWN')).toMatchObject({ state: 'REJECTED', failureCode: 'UNKNOWN' });
  },
);
