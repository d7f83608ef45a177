/**
 * Sign-in at a provider of OpenID Connect. The provider is found at the first sign-in, so that one that is down delays neither the
 * start nor those who sign in by mail.
 */
import type { Request, Response } from 'express';
import { keepBrowser } from './devices';
import { asEntry, type Entry } from './entry';
import { discoveryUrlOf, openLibrary, PROVIDER_ID, type Library } from './library';
import { callLibrary, passCookies } from './library-calls';
import { PROVIDER_MS } from './provider-claims';
import type { DoorDependencies, ProviderSettings } from './settings';
import { signInOrigin } from './sign-in-events';
import { propertyOf } from '../domain/unknown-values';

export class Provider {
  private opening: Promise<Library> | undefined;

  constructor(
    readonly name: string,
    private readonly settings: ProviderSettings,
    private readonly deps: DoorDependencies,
  ) {}

  /** Sends the browser to the provider. False if the provider does not respond. */
  async begin(request: Request, response: Response, next: string): Promise<boolean> {
    const library = await this.library();
    if (!library) return false;
    const { settings } = this.deps;
    const begun = await callLibrary(library, settings, request, '/sign-in/social', {
      isOwn: true,
      body: {
        provider: PROVIDER_ID,
        callbackURL: `/identity/gate?next=${encodeURIComponent(next)}`,
        errorCallbackURL: '/identity/sign-in',
        disableRedirect: true,
      },
    });
    const { url } = begun.body;
    if (!begun.ok || typeof url !== 'string') return false;
    passCookies(response, begun);
    response.redirect(303, url);
    return true;
  }

  /** Ends the sign-in when the provider sends the browser back. Returns where to go next, or why the person may not enter. */
  async end(request: Request, response: Response): Promise<{ location: string } | { error: string }> {
    const library = await this.library();
    if (!library) return { error: 'provider_down' };
    const { settings } = this.deps;
    const deviceHash = keepBrowser(settings, request, response);
    const entry: Entry = { signIn: { origin: signInOrigin(request), deviceHash } };
    const query = new URL(request.originalUrl, settings.origin).search;
    const ended = await asEntry(entry, () =>
      callLibrary(library, settings, request, `/callback/${PROVIDER_ID}${query}`),
    );
    passCookies(response, ended);
    if (entry.hasNoRole) return { error: 'no_role' };
    if (ended.location === undefined) return { error: 'rejected' };
    const location = new URL(ended.location, settings.origin);
    const error = location.searchParams.get('error');
    return error === null ? { location: location.pathname + location.search } : { error };
  }

  /** The library with the provider. Undefined if the provider does not respond or is not the configured issuer. */
  private async library(): Promise<Library | undefined> {
    this.opening ??= this.open();
    try {
      return await this.opening;
    } catch (err) {
      this.opening = undefined;
      this.deps.log.warn({ err }, 'The provider of OpenID Connect does not respond');
      return undefined;
    }
  }

  private async open(): Promise<Library> {
    const response = await fetch(discoveryUrlOf(this.settings), { signal: AbortSignal.timeout(PROVIDER_MS) });
    const document: unknown = await response.json();
    const { issuer } = this.settings;
    const methods = propertyOf(document, 'token_endpoint_auth_methods_supported');
    const info = propertyOf(document, 'userinfo_endpoint');
    if (propertyOf(document, 'issuer') !== issuer) throw new Error('The discovery document names another issuer');
    const takesPost = Array.isArray(methods) && methods.includes('client_secret_post');
    const library = openLibrary(this.deps, {
      issuer,
      authentication: takesPost ? 'post' : 'basic',
      userInfoUrl: typeof info === 'string' ? info : undefined,
    });
    await library.$context;
    return library;
  }
}
