/** Headers of every response, whether or not the application sees the request. */
import type { Config } from '../config';

/** Responses hold balances, codes and tokens: nobody keeps, guesses at or embeds them. Reference data says otherwise itself. */
export function safeHeaders(mode: Config['mode']): Readonly<Record<string, string>> {
  return {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    // In production there is TLS in front. A year, as browsers' lists of such hosts demand.
    ...(mode === 'production' && { 'Strict-Transport-Security': 'max-age=31536000' }),
  };
}
