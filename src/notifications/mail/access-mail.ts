/** Mails to clients about changes of their keys, networks, members and endpoints, and invitations. docs/operators/mail.md. */
import { accessMails, type AccessChange, type AccessMail, type Invitation } from '../../data/clients/access-mails';
import { linkInvitation } from '../../data/clients/members';
import { shownLine } from '../../domain/shown-text';
import { newInvitationLink } from './invitation-link';
import { sendDueMails, type DueMailing } from './due-mails';
import { bodyOf } from './paragraphs';
import type { Mail } from './send';

/** Changes that one run mails. */
const MAX_CHANGES = 500;

interface AccessMailing extends DueMailing {
  /** Where members sign in. */
  consoleUrl: string;
}

/**
 * Sends the due mails, with the guarantees of `sendDueMails`: to each person one for all changes of a client, and one for each
 * invitation. `onGivenUp` gets the client.
 */
export function sendAccessMails({ consoleUrl, ...mailing }: AccessMailing): Promise<void> {
  const { database } = mailing;
  return sendDueMails(mailing, accessMails, {
    limit: MAX_CHANGES,
    together: ({ change, id, clientId, email }) => (change === 'INVITATION' ? String(id) : `${clientId} ${email}`),
    about: ({ clientId }) => clientId,
    async compose(changes) {
      const [first] = changes;
      if (first.change !== 'INVITATION') return mailAboutAccess(changes);
      const { href, secretHash } = newInvitationLink(consoleUrl);
      const isOpen = await linkInvitation(database, first.email, secretHash);
      return invitationMail(first, first.details, isOpen ? href : `${consoleUrl}/console/`);
    },
  });
}

/** The mail that lists the changes, and says what to do about an unexpected one. */
function mailAboutAccess(changes: readonly [AccessMail, ...AccessMail[]]): Mail {
  const [first] = changes;
  const paragraphs = [
    'The access to your account has changed:',
    ...changes.map((change) => `${change.changedAt.toISOString()}: ${sentenceAbout(change)}`),
    changes.every(isAboutRecipient)
      ? 'If you did not expect this, ask an admin of the account.'
      : 'GET /api/v1/activity shows who made each change. If you did not expect one, revoke the keys that you do not know with POST /api/v1/api-keys/:id/revoke, then write to your account manager.',
  ];
  return {
    to: first.email,
    subject: 'The access to your account has changed',
    ...bodyOf(paragraphs),
    messageId: `access-${first.clientId}-${first.id}`,
  };
}

/** Whether the mail goes to the member whose access has changed. */
function isAboutRecipient(mail: AccessMail): boolean {
  return mail.change === 'MEMBER_CHANGED' && mail.details.email === mail.email;
}

/**
 * The mail that invites a member. Its link opens a browser, and no session: the member signs in with a code that goes to the same address.
 * Each attempt to send the mail has a link of its own.
 */
function invitationMail(
  { id, clientId, email }: AccessMail,
  { client: name, role, until }: Invitation,
  link: string,
): Mail {
  // An older account may have a name that no account gets any more. A header has one line.
  const client = shownLine(name);
  const paragraphs = [
    `${client} invites you to its console of Digital Goods, with the role ${role}.`,
    `Open this link until ${until}, in the browser in which you will work: ${link}`,
    'Then sign in with this address. Do not pass the link on.',
  ];
  return {
    to: email,
    subject: `Invitation to the console of ${client}`,
    ...bodyOf(paragraphs),
    messageId: `invitation-${clientId}-${id}`,
  };
}

const endpointVerbs = { ADDED: 'was added', CHANGED: 'was changed', DELETED: 'was deleted' } as const;
const verbs = { KEY_CREATED: 'was created', KEY_CHANGED: 'was changed', KEY_REVOKED: 'was revoked' } as const;

function sentenceAbout(change: AccessChange): string {
  switch (change.change) {
    case 'NETWORKS_CHANGED': {
      const { networks } = change.details;
      return networks.length === 0
        ? 'Orders are now accepted from every address.'
        : `Orders are now accepted only from ${networks.join(', ')}.`;
    }
    case 'MEMBER_CHANGED':
    case 'INVITATION': {
      const { email, role, state } = change.details;
      return `The member ${email} has the role ${role} and the state ${state}.`;
    }
    case 'ENDPOINT_CHANGED': {
      const { id, origin, enabled, change: what } = change.details;
      const state = what === 'DELETED' ? '' : ` It is ${enabled ? 'enabled' : 'disabled'}.`;
      return `The webhook endpoint ${id} at ${origin} ${endpointVerbs[what]}.${state}`;
    }
    case 'KEY_CREATED':
    case 'KEY_CHANGED':
    case 'KEY_REVOKED':
      return sentenceAboutKey(change);
  }
}

function sentenceAboutKey(change: Extract<AccessChange, { details: { api_key: string } }>): string {
  const { api_key: apiKey, label, scopes, expires_at: expiresAt } = change.details;
  const name = label === null ? apiKey : `${apiKey} (${label})`;
  const settings = `Scopes: ${scopes.join(', ')}. Expires: ${expiresAt ?? 'never'}.`;
  return `The API key ${name} ${verbs[change.change]}.${change.change === 'KEY_REVOKED' ? '' : ` ${settings}`}`;
}
