/** Login and refresh in the document. */
import { errors } from '../../domain/errors';
import { json, type Operations } from '../openapi/operation';
import { flag, id, model, text, time } from '../openapi/schema';
import { loginBody, refreshBody } from './routes';

const tokenPair = model('TokenPair', 'What a client proves itself with.', {
  access_token: text('Sent with every other call, valid for an hour (JWT).', 'eyJhbGciOiJIUzI1NiJ9...'),
  refresh_token: text('Gets the next pair, once, valid for 7 days (JWT).', 'eyJhbGciOiJIUzI1NiJ9...'),
  access_expires_at: time('When the access token ends.', '2026-01-31T13:00:00.000Z'),
  refresh_expires_at: time('When the refresh token ends.', '2026-02-07T12:00:00.000Z'),
  client_id: id('Your id.', 1),
});

const session = model('Session', 'A session that has begun or goes on.', {
  success: { ...flag('Always true.', true), const: true },
  data: tokenPair,
});

export const authOperations: Operations = {
  'POST /auth/login': {
    id: 'login',
    tag: 'Authentication',
    summary: 'Log in',
    description: 'Exchanges an API key and its secret for an access token and a refresh token.',
    access: 'open',
    body: {
      schema: loginBody,
      title: 'LoginRequest',
      example: { username: 'your-api-key', password: 'your-api-secret' },
    },
    answers: { 200: json('The session.', session) },
    errors: [errors.unauthorized('Invalid credentials'), errors.unauthorized('Client is suspended')],
  },
  'POST /auth/refresh': {
    id: 'refresh',
    tag: 'Authentication',
    summary: 'Go on with a session',
    description:
      'Exchanges a refresh token for the next pair. It works once: used again it ends its whole session, but for the direct predecessor within 10 seconds, which is only refused.',
    access: 'open',
    body: {
      schema: refreshBody,
      title: 'RefreshRequest',
      example: { refresh_token: 'eyJhbGciOiJIUzI1NiJ9...' },
    },
    answers: { 200: json('The session, with new tokens.', session) },
    errors: [errors.unauthorized('Invalid or expired refresh token')],
  },
};
