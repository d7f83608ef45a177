/** The cookie of the console in production. No test stack runs in production mode. */
import express from 'express';
import { clearSessionCookie, setSessionCookie } from '../../src/api/console/cookie';
import { serve } from '../../dev/stack/local-server';

test.each(['production', 'sandbox'] as const)(
  'When the mode is %s and no header reports TLS, then the cookie is restricted to TLS exactly in production',
  async (mode) => {
    const app = express();
    const expiresAt = new Date(Date.now() + 60_000);
    app.get('/keep', (request, response) => {
      setSessionCookie({ mode }, request, response, { token: 'token', expiresAt });
      response.end();
    });
    app.get('/forget', (request, response) => {
      clearSessionCookie({ mode }, request, response);
      response.end();
    });
    const { url, close } = await serve(app);
    for (const path of ['keep', 'forget']) {
      const { headers } = await fetch(`${url}/${path}`);
      const attributes = headers.getSetCookie()[0]?.split('; ') ?? [];
      expect([path, attributes.includes('Secure')]).toEqual([path, mode === 'production']);
      const isProduction = mode === 'production';
      const cookie = isProduction ? '__Host-console_session=' : 'console_session=';
      expect(attributes[0]?.startsWith(cookie)).toBe(true);
      expect(attributes).toEqual(
        expect.arrayContaining(['HttpOnly', 'SameSite=Strict', isProduction ? 'Path=/' : 'Path=/console']),
      );
      expect(attributes.filter((attribute) => attribute.startsWith('Domain'))).toEqual([]);
    }
    await close();
  },
);
