/** The mails of the sign-in. */
import { randomUUID } from 'node:crypto';
import { minuteText } from '../domain/time';
import { bodyOf } from '../notifications/mail/paragraphs';
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

/** The mail about a sign-in in a device that the person has never used. */
export function newDeviceMail(
  { origin, title }: Door,
  email: string,
  { device, address }: { device: string; address: string },
): Mail {
  return mailOf(email, `New device at ${title}`, [
    `You signed in to ${origin} in a new device: ${device}, at the address ${address}, at ${minuteText(new Date())} UTC.`,
    `If it was not you, end the session at ${origin}/identity/ and tell an admin.`,
  ]);
}

/** The mail about a second factor that the person has set up. */
export function newSecondFactorMail({ origin, title }: Door, email: string): Mail {
  return mailOf(email, `New second factor at ${title}`, [
    `A second factor was set up for your account at ${origin}, at ${minuteText(new Date())} UTC.`,
    'If it was not you, tell an admin.',
  ]);
}

const lockOuts = {
  code: [
    'Ten codes were wrong that were entered for your address within a day, in browsers in which you have never signed in.',
    'For the rest of the day, only a browser in which you have signed in before gets a code.',
  ],
  second_factor: [
    'Five codes of your second factor were wrong. Whoever entered them had a code from your mailbox, or a session of yours.',
    'For 15 minutes, every code of your second factor is rejected.',
  ],
};

/** The mail about a lock after wrong codes. */
export function lockOutMail({ origin, title }: Door, email: string, by: keyof typeof lockOuts): Mail {
  return mailOf(email, `Wrong codes at ${title}`, [
    ...lockOuts[by],
    `If it was not you, tell an admin. The address of the sign-in is ${origin}.`,
  ]);
}

function mailOf(to: string, subject: string, paragraphs: readonly string[]): Mail {
  return {
    to,
    subject,
    ...bodyOf(paragraphs),
    messageId: `identity-${randomUUID()}`,
  };
}
