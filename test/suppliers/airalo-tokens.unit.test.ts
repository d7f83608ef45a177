/** The tokens of the fake Airalo. */
import { Tokens } from '../../fakes/airalo/tokens';

test('When the fake restarts, then its tokens stay valid', () => {
  const { access_token: token } = new Tokens(1, 'secret').issue();
  expect(new Tokens(1, 'secret').isValid(token)).toBe(true);
  expect(new Tokens(1, 'another secret').isValid(token)).toBe(false);
});

test('When the tokens are ended, then only a token that is issued later is valid', () => {
  const tokens = new Tokens(1, 'secret');
  const { access_token: former } = tokens.issue();
  tokens.clear();
  expect(tokens.isValid(former)).toBe(false);
  expect(tokens.isValid(tokens.issue().access_token)).toBe(true);
});
