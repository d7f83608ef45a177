/** The page about oneself: role, sessions, and the table of roles. */
import { browserName } from '../domain/browser-name';
import { roleMeanings } from '../domain/operators/roles';
import { shownLine } from '../domain/shown-text';
import { minuteText } from '../domain/time';
import type { ListedSession, LiveIdentitySession } from '../data/identity/people-sessions';
import { html, type Html } from './html';
import { pageWith, signOutForm } from './page';
import type { IdentitySettings } from './settings';

export interface HomeView {
  session: LiveIdentitySession;
  sessions: readonly ListedSession[];
  /** Whether the list has the sessions of all people. */
  isOfAll: boolean;
  links: readonly { href: string; text: string }[];
  audience: IdentitySettings['audience'];
}

/** Who am I, my sessions, and the roles. */
export function homePage({ session, sessions, isOfAll, links, audience }: HomeView): string {
  const isOperator = audience === 'operators';
  const { name, email, role, hasSecondFactor } = session;
  return pageWith(
    { title: name, isNarrow: false },
    html`<section>
        <p>
          You are
          <strong>${email}</strong>${isOperator ? html` with the role <strong>${role}</strong>` : undefined}.
        </p>
        <p>
          ${hasSecondFactor ? 'You have a second factor.' : html`You have no second factor. <a href="/identity/second-factor/set-up">Set it up</a>`}
        </p>
        <div class="row">
          ${links.map(({ href, text }) => html`<a class="button" href="${href}">${text}</a>`)}
          ${isOperator ? html`<a class="button" href="/identity/device">Log in the ops CLI</a>` : undefined}${signOutForm()}
        </div>
      </section>
      <h2>${isOfAll ? 'Sessions of all people' : 'Your sessions'}</h2>
      <section class="scroll">
        <table class="rows">
          <thead>
            <tr>
              ${isOfAll ? html`<th>Person</th>` : undefined}
              <th>Machine</th>
              <th>Address</th>
              <th>Last used</th>
              <th>Ends</th>
              <th>Action</th>
            </tr>
          </thead>
          <tbody>
            ${sessions.map((listed) => sessionRow(listed, session.id, isOfAll))}
          </tbody>
        </table>
      </section>
      ${isOperator ? rolesTable() : undefined}`,
  );
}

const rolesTable = () =>
  html`<h2>Roles</h2>
    <section>
      <table>
        <tbody>
          ${Object.entries(roleMeanings).map(
            ([each, meaning]) =>
              html`<tr>
                <th>${each}</th>
                <td>${meaning}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </section>`;

function sessionRow(listed: ListedSession, ownId: string, isOfAll: boolean): Html {
  const { id, email, kind, machine, userAgent, address, lastUsedAt, expiresAt, isAsleep } = listed;
  const shown = kind === 'CLI' ? `ops CLI on ${shownLine(machine ?? '')}` : browserName(userAgent ?? '');
  return html`<tr>
    ${isOfAll ? html`<td data-column="Person">${email}</td>` : undefined}
    <td data-column="Machine">${shown}${id === ownId ? ' (this session)' : ''}${isAsleep ? ' (asleep)' : ''}</td>
    <td data-column="Address">${address ?? ''}</td>
    <td data-column="Last used" class="time">${minuteOf(lastUsedAt)}</td>
    <td data-column="Ends" class="time">${minuteOf(expiresAt)}</td>
    <td>
      <form method="post" action="/identity/sessions/end">
        <input type="hidden" name="session" value="${id}" /><button>End</button>
      </form>
    </td>
  </tr>`;
}

function minuteOf(at: Date): string {
  return `${minuteText(at)} UTC`;
}
