/** The pages of the sign-in. They are complete HTML without scripts. */
import { renderSVG } from 'uqr';
import { shownLine } from '../domain/shown-text';
import type { AskingDevice } from '../data/identity/device-codes';
import { Html, html } from './html';
import { pageWith, signOutForm } from './page';
import type { NewSecondFactor } from './second-factor';
import { MAIL_CODE_MINUTES } from './validity-of-codes-and-links';

const nextField = (next: string) => html`<input type="hidden" name="next" value="${next}" />`;

export interface SignInView {
  title: string;
  next: string;
  /** The name of the provider of OpenID Connect, if there is one. */
  provider: string | undefined;
  error?: string | undefined;
}

export function signInPage({ title, next, provider, error }: SignInView): string {
  return pageWith(
    { title: `Sign in to ${title}`, error },
    html`<form class="card" method="post" action="/identity/sign-in">
        ${nextField(next)}
        <label>Email address<input name="email" type="email" required autocomplete="username" autofocus /></label>
        <button class="primary">Email me a code</button>
      </form>
      ${
        provider === undefined
          ? undefined
          : html`<p>
              <a class="button" href="/identity/provider?next=${encodeURIComponent(next)}">Sign in with ${provider}</a>
            </p>`
      }`,
  );
}

export function mailCodePage({ email, next, error }: { email: string; next: string; error?: string | undefined }) {
  return pageWith(
    { title: 'Enter your code', error },
    html`<p>If ${email} may sign in here, a code is on its way. It is valid for ${MAIL_CODE_MINUTES} minutes.</p>
      <form class="card" method="post" action="/identity/sign-in/code">
        ${nextField(next)}<input type="hidden" name="email" value="${email}" />
        ${codeField('Code from the email', 'one-time-code')}
        <button class="primary">Sign in</button>
      </form>
      <p>
        The code works in this browser only. If none arrives, there were too many codes or wrong codes in this browser,
        from its network or for the address: use a browser in which you have signed in before, or another network, open
        the link of your invitation in this one, or ask an admin to unlock you.
      </p>
      <p><a href="/identity/sign-in">Use another address, or ask for another code</a></p>`,
  );
}

/** The page of an invitation's link. Its button uses the secret. */
export function invitationPage({ title, secret }: { title: string; secret: string }): string {
  return pageWith(
    { title: `Invitation to ${title}` },
    html`<p>You are invited. Continue in the browser in which you will work.</p>
      <form class="card" method="post" action="/identity/invitation">
        <input type="hidden" name="secret" value="${secret}" />
        <button class="primary">Continue to the sign-in</button>
      </form>`,
  );
}

const codeField = (label: string, autocomplete = 'one-time-code') =>
  html`<label
    >${label}<input
      name="code"
      required
      autocomplete="${autocomplete}"
      autocapitalize="off"
      spellcheck="false"
      maxlength="40"
      autofocus
  /></label>`;

export interface SecondFactorView {
  next: string;
  /** The session of another machine for which the person confirms. */
  confirmed?: { id: string; machine: string } | undefined;
  error?: string | undefined;
}

export function secondFactorPage({ next, confirmed, error }: SecondFactorView): string {
  return pageWith(
    { title: 'Second factor', error },
    html`${
        confirmed &&
        html`<p>
          You confirm an action of the ops CLI on <strong>${shownLine(confirmed.machine)}</strong>. If you did not start
          one there, end that session.
        </p>`
      }
      <form class="card" method="post" action="/identity/second-factor">
        ${nextField(next)}${confirmed && html`<input type="hidden" name="session" value="${confirmed.id}" />`}
        ${codeField('Code of your authenticator, or a recovery code')}
        <button class="primary">Confirm</button>
      </form>
      ${signOutForm()}`,
  );
}

/** The page with a new secret, or the form that makes one. */
export function setUpPage({
  made,
  next,
  isRequired,
  error,
}: {
  made: NewSecondFactor | undefined;
  next: string;
  isRequired: boolean;
  error?: string | undefined;
}): string {
  const content = made ? newSecret(made, next) : beginForm(isRequired, next);
  return pageWith({ title: 'Set up the second factor', error }, content);
}

function beginForm(isRequired: boolean, next: string): Html {
  const intro = isRequired ? html`<p>Every account here has a second factor.</p>` : undefined;
  return html`${intro}
    <form class="card" method="post" action="/identity/second-factor/set-up">
      ${nextField(next)}
      <p>You need an authenticator: a program that shows a code of six digits.</p>
      <button class="primary">Begin</button>
    </form>
    ${signOutForm()}`;
}

function newSecret({ uri, recoveryCodes }: NewSecondFactor, next: string): Html {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return html`<section>
      <p>
        Scan this with your authenticator, or open it on this machine:
        <a href="${uri}">add the account</a>.
      </p>
      <div class="qr">${new Html(renderSVG(uri, { border: 2 }))}</div>
      <p>Or type the secret: <code>${secret.replace(/(.{4})(?=.)/g, '$1 ')}</code></p>
    </section>
    <section>
      <p>Keep these recovery codes in a safe place. Each replaces your authenticator once. They are shown only now.</p>
      <p class="mono">${recoveryCodes.map((code) => html`${code}<br />`)}</p>
    </section>
    <form class="card" method="post" action="/identity/second-factor/confirm">
      ${nextField(next)}${codeField('Code that the authenticator shows')}
      <button class="primary">Confirm</button>
    </form>`;
}

export interface DeviceView {
  userCode: string;
  device: AskingDevice | undefined;
  asksForSecondFactor: boolean;
  error?: string | undefined;
}

export function devicePage({ userCode, device, asksForSecondFactor, error }: DeviceView): string {
  if (!device)
    return pageWith(
      { title: 'Log in the ops CLI', error },
      html`<form class="card" method="get" action="/identity/device">
        <label
          >Code that the ops CLI shows<input name="user_code" required autocomplete="off" maxlength="20" autofocus
        /></label>
        <button class="primary">Go on</button>
      </form>`,
    );
  return pageWith(
    { title: 'Log in the ops CLI', error },
    html`<section>
        <p>
          The ops CLI on <strong>${shownLine(device.machine)}</strong> at the address
          <strong>${device.address}</strong> asks to work in your name for 12 hours.
        </p>
        <p>Approve only if it shows the code <strong class="mono">${userCode}</strong>, and only if you started it.</p>
      </section>
      <form class="card" method="post" action="/identity/device">
        <input type="hidden" name="user_code" value="${userCode}" />
        ${asksForSecondFactor ? codeField('Code of your authenticator, or a recovery code') : undefined}
        <div class="row">
          <button class="primary" name="decision" value="approve">Approve</button>
          <button name="decision" value="deny" formnovalidate>Deny</button>
        </div>
      </form>`,
  );
}

export function donePage(title: string, text: string): string {
  return pageWith(
    { title },
    html`<p>${text}</p>
      <p><a href="/identity/">Who am I?</a></p>`,
  );
}
