/**
 * A server of OpenID Connect (oidc-provider) in a process of its own. It tells its parent its issuer, then waits for its client and
 * people. `forgery` changes the ID tokens that it issues.
 */
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import { decodeJwt, importJWK, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

const newKey = () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: 'key', alg: 'RS256', use: 'sig' };
};
const [key, otherKey] = [newKey(), newKey()];

let people = {};
let forgery;

/** The ID token with another content or signature. */
async function forged(token) {
  const changes = {
    issuer: { iss: 'https://evil.example' },
    audience: { aud: 'another-client' },
    nonce: { nonce: 'another-nonce' },
    time: { exp: 1_000_000_000 },
    key: {},
  };
  const claims = { ...decodeJwt(token), ...changes[forgery] };
  const signing = forgery === 'key' ? otherKey : key;
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'key' }).sign(await importJWK(signing, 'RS256'));
}

function provider(issuer, { redirectUri, claimsInIdToken }) {
  const made = new Provider(issuer, {
    clients: [
      {
        client_id: 'ops',
        client_secret: 'the-secret-of-the-client-ops',
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['a-key-of-the-tests'] },
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: { email: ['email', 'email_verified'], profile: ['name', 'preferred_username'], groups: ['groups'] },
    conformIdTokenClaims: !claimsInIdToken,
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
  });
  made.use(async (context, next) => {
    await next();
    if (forgery && context.path === '/token' && context.body?.id_token)
      context.body = { ...context.body, id_token: await forged(context.body.id_token) };
  });
  return made;
}

const server = createServer();
server.listen(Number(process.env['OIDC_PORT'] ?? 0), '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  process.on('message', (message) => {
    if (message.client) server.on('request', provider(issuer, message.client).callback());
    people = message.people ?? people;
    forgery = message.forgery;
    process.send('done');
  });
  process.on('disconnect', () => process.exit());
  process.send(issuer);
});
