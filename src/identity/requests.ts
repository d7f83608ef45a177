/** What arrives in requests of the sign-in: forms, where to go next, and whose page sent a form. */
import type { Request, RequestHandler } from 'express';
import { boundedForm, boundedJson } from '../http/body-limits';
import type { IdentitySettings } from './settings';
import { propertyOf } from '../domain/unknown-values';

/** Forms are short. */
export const MAX_FORM_BYTES = 16 * 1024;

/** Reads forms and JSON. */
export const readBody: readonly RequestHandler[] = [
  boundedForm(MAX_FORM_BYTES),
  boundedJson({ maxBytes: MAX_FORM_BYTES }),
];

/** A text field of the form; empty if it is absent or no text. */
export function fieldOf(request: Request, name: string): string {
  const value = propertyOf(request.body, name);
  return typeof value === 'string' ? value.trim().slice(0, 500) : '';
}

/** A parameter of the query; empty if it is absent or repeated. */
export function queryOf(request: Request, name: string): string {
  const value = request.query[name];
  return typeof value === 'string' ? value.slice(0, 2_000) : '';
}

/** The page of this origin that the text names, and the home page for every other text. No sign-in leads to another site. */
export function safeNext({ origin, home }: Pick<IdentitySettings, 'origin' | 'home'>, text: string): string {
  if (!text.startsWith('/') || !URL.canParse(text, origin)) return home;
  const { origin: named, pathname, search, hash } = new URL(text, origin);
  return named === origin && !pathname.startsWith('//') ? pathname + search + hash : home;
}

const safeMethods = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Rejects with 403 what the page of another site makes a browser send. A request without Origin and without cookies comes from a
 * program. The routes of operations need the same check.
 */
export function rejectForeignOrigins({ origin }: Pick<IdentitySettings, 'origin'>): RequestHandler {
  return (request, response, next) => {
    if (safeMethods.includes(request.method)) return next();
    const { origin: sent, cookie } = request.headers;
    const site = request.get('sec-fetch-site');
    const isForeign = sent === undefined ? cookie !== undefined : sent !== origin;
    if (isForeign || (site !== undefined && site !== 'same-origin')) {
      response.status(403).type('text/plain').send('Requests from other sites are rejected.\n');
      return;
    }
    next();
  };
}
