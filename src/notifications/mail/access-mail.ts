/** Mails to clients about changes of their API keys and allowed networks. docs/operators/mail.md. */
import {
  claimAccessMails,
  endAccessMails,
  retryAccessMails,
  type AccessChange,
  type AccessMail,
} from '../../data/clients/access-mails';
import type { Database } from '../../data/database/database';
import { recordMailFailure, recordMailSuccess } from '../../data/operations/mail-outage';
import { escapeHtml } from '../../domain/escape-html';
import { MailNotSent, type Mail, type Mailer } from './send';

/** Changes that one run mails. */
const MAX_CHANGES = 100;

interface AccessMailing {
  database: Database;
  mailer: Mailer;
  /** Called with the reason for each mail that is given up. */
  onGivenUp: (clientId: number, reason: string) => void;
}

/**
 * Sends the due mails, one for all changes of a client. A mail that the mail server does not accept now is due again in a minute, for a
 * day. Sends a mail twice only if the process dies right after sending.
 */
export async function sendAccessMails({ database, mailer, onGivenUp }: AccessMailing): Promise<void> {
  const byClient = new Map<number, [AccessMail, ...AccessMail[]]>();
  for (const change of await claimAccessMails(database, MAX_CHANGES)) {
    const known = byClient.get(change.clientId);
    if (known) known.push(change);
    else byClient.set(change.clientId, [change]);
  }
  for (const [clientId, changes] of byClient) {
    const ids = changes.map(({ id }) => id);
    try {
      await mailer.sendMail(mailAboutAccess(changes));
      await recordMailSuccess(database);
      await endAccessMails(database, ids);
    } catch (error) {
      if (!(error instanceof MailNotSent)) throw error;
      if (!error.permanent) await recordMailFailure(database, error.message);
      const retried = error.permanent ? 0 : await retryAccessMails(database, ids);
      if (retried > 0) continue;
      await endAccessMails(database, ids);
      onGivenUp(clientId, error.message);
    }
  }
}

/** The mail that lists the changes, and says what to do about one that nobody expected. */
function mailAboutAccess(changes: readonly [AccessMail, ...AccessMail[]]): Mail {
  const [first] = changes;
  const paragraphs = [
    'The access to your account has changed:',
    ...changes.map((change) => `${change.changedAt.toISOString()}: ${sentenceAbout(change)}`),
    'GET /api/v1/activity shows who made each change. If you did not expect one, revoke the keys that you do not know with POST /api/v1/api-keys/:id/revoke, then write to your account manager.',
  ];
  return {
    to: first.email,
    subject: 'Your API keys or allowed networks have changed',
    text: `${paragraphs.join('\n\n')}\n`,
    html: paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n'),
    messageId: `access-${first.clientId}-${first.id}`,
  };
}

const verbs = { KEY_CREATED: 'was created', KEY_CHANGED: 'was changed', KEY_REVOKED: 'was revoked' } as const;

function sentenceAbout(change: AccessChange): string {
  if (change.change === 'NETWORKS_CHANGED') {
    const { networks } = change.details;
    return networks.length === 0
      ? 'Orders are now accepted from every address.'
      : `Orders are now accepted only from ${networks.join(', ')}.`;
  }
  const { api_key: apiKey, label, scopes, expires_at: expiresAt } = change.details;
  const name = label === null ? apiKey : `${apiKey} (${label})`;
  const settings = `Scopes: ${scopes.join(', ')}. Expires: ${expiresAt ?? 'never'}.`;
  return `The API key ${name} ${verbs[change.change]}.${change.change === 'KEY_REVOKED' ? '' : ` ${settings}`}`;
}
