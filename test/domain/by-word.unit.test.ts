/** Tables for words from outside. */
import { apiError } from '../../packages/client/src/errors';
import { byWord } from '../../src/domain/by-word';

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'When a table is read with the word %s, which every object inherits, then it finds nothing',
  (word) => {
    expect(byWord({ known: 'word' })[word]).toBeUndefined();
  },
);

test('When a response names the code constructor, then the library makes the error of its status', () => {
  const answer = { status: 409, code: 'constructor', message: 'No', param: undefined, headers: new Headers() };
  expect(apiError(answer as unknown as Parameters<typeof apiError>[0]).name).toBe('ConflictError');
});
