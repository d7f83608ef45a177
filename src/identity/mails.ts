/** The mails of the sign-in. */
import { randomUUID } from 'node:crypto';
import { escapeHtml } from '../domain/escape-html';
import type { Mail } from '../notifications/mail/send';
import { INVITATION_DAYS, MAIL_CODE_MINUTES, type IdentitySettings } from './settings';

type Door = Pick<IdentitySettings, 'origin' | 'title'>;

/** The mail with the code to sign in. */
export function codeMail({ origin, title }: Door, email: string, code: string): Mail {
  return mailOf(email, `Your code for ${title}`, [
    `${code} is your code to sign in at ${origin}.`,
    `It is valid for ${MAIL_CODE_MINUTES} minutes and for one sign-in. Do not pass it on: we never ask for it.`,
    'If you did not ask for a code, ignore this email.',
  ]);
}

/** The mail that invites a person. It contains no secret: the person signs in with a code, or with the provider. */
export function invitationMail(
  { origin, title }: Door,
  { email, role, invitedBy }: { email: string; role: string; invitedBy: string },
): Mail {
  return mailOf(email, `Invitation to ${title}`, [
    `${invitedBy} invites you to ${title}, with the role ${role}.`,
    `Sign in with this address within ${INVITATION_DAYS} days: ${origin}/identity/sign-in`,
  ]);
}

function mailOf(to: string, subject: string, paragraphs: readonly string[]): Mail {
  return {
    to,
    subject,
    text: `${paragraphs.join('\n\n')}\n`,
    html: paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n'),
    messageId: `identity-${randomUUID()}`,
  };
}
