/** The mails of the sign-in. */
import { randomUUID } from 'node:crypto';
import type { LastOfDay } from '../data/identity/wrong-code-pauses';
import { minuteText } from '../domain/time';
import { bodyOf } from '../notifications/mail/paragraphs';
import type { Mail } from '../notifications/mail/send';
import { INVITATION_DAYS, MAIL_CODE_MINUTES } from './validity-of-codes-and-links';
import type { IdentitySettings } from './settings';

type Door = Pick<IdentitySettings, 'origin' | 'title'>;

/** The mail with the code to sign in. */
export function codeMail({ origin, title }: Door, email: string, code: string): Mail {
  return mailOf(email, `Your code for ${title}`, [
    `${code} is your code to sign in at ${origin}.`,
    `It is valid for ${MAIL_CODE_MINUTES} minutes and for one sign-in. Do not pass it on: we never ask for it.`,
    'If you did not ask for a code, ignore this email.',
  ]);
}

/** The mail that invites a person. Its link opens a browser, and no session: the person signs in with a code, or with the provider. */
export function invitationMail(
  { title }: Pick<Door, 'title'>,
  { email, role, invitedBy }: { email: string; role: string; invitedBy: string },
  link: string,
): Mail {
  return mailOf(email, `Invitation to ${title}`, [
    `${invitedBy} invites you to ${title}, with the role ${role}.`,
    `Open this link within ${INVITATION_DAYS} days, in the browser in which you will work: ${link}`,
    'Then sign in with this address. Do not pass the link on.',
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

/** Which codes were wrong too often. */
export type LockOut = LastOfDay | 'second_factor';

const WRONG = 'codes were wrong that were entered for your address within a day';
const UNKNOWN_BROWSERS = 'in browsers in which you have never signed in';

/** What happened, and what the person can do now. `network`: from where the last code was entered. */
function lockOutText(audience: IdentitySettings['audience'], by: LockOut, network: string): string[] {
  const unlock =
    audience === 'operators'
      ? 'ask an admin to unlock you (people unlock)'
      : 'ask an admin of your account to unlock you (in the console, Account, Members), or write to your account manager';
  switch (by) {
    case 'network':
      return [
        `Ten ${WRONG} from the network ${network}, ${UNKNOWN_BROWSERS}.`,
        `For the rest of the day, such a browser of this network gets no code. To sign in, use a browser in which you have signed in before, or another network, or ${unlock}.`,
      ];
    case 'invitation':
      return [
        `Ten ${WRONG}, in browsers that your invitation has opened.`,
        `For the rest of the day, they get no code. To sign in, ${unlock}.`,
      ];
    case 'mailbox':
      return [
        `Thirty ${WRONG}, ${UNKNOWN_BROWSERS}.`,
        `For the rest of the day, no such browser gets a code. To sign in, use a browser in which you have signed in before, or ${unlock}. If you have never signed in, open the link of your invitation.`,
      ];
    case 'second_factor':
      return [
        'Five codes of your second factor were wrong. Whoever entered them had a code from your mailbox, or a session of yours.',
        'For 15 minutes, every code of your second factor is rejected. Wait, then enter a new one.',
      ];
  }
}

/** The mail about a lock after wrong codes. */
export function lockOutMail(
  { origin, title, audience }: Door & Pick<IdentitySettings, 'audience'>,
  email: string,
  { by, network }: { by: LockOut; network: string },
): Mail {
  return mailOf(email, `Wrong codes at ${title}`, [
    ...lockOutText(audience, by, network),
    `If it was not you who entered the codes, tell an admin. The address of the sign-in is ${origin}.`,
  ]);
}

function mailOf(to: string, subject: string, paragraphs: readonly string[]): Mail {
  return { to, subject, ...bodyOf(paragraphs), messageId: `identity-${randomUUID()}` };
}
