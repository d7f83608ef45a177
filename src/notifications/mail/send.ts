/** Sends mail over SMTP. What goes wrong is told without the address: it ends up in Temporal and in logs. */
import { createTransport } from 'nodemailer';
import type { Config } from '../../config';
import { minute } from '../../domain/time';
import { isEmailAddress } from './address';

/** A mail server is reached and greets within this time. */
const CONNECT_TIMEOUT_MS = 10_000;
/**
 * A mail server may be silent for this long. RFC 5321, 4.5.3.2.6: a sender that gives up earlier after
 * the last line of a mail sends twice what a slow server had taken.
 */
const SOCKET_TIMEOUT_MS = 10 * minute;

export interface Mail {
  /** One address, nothing else. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** What stands before the `@` of the Message-ID: the same at every try, so that a repeated mail is known. */
  messageId: string;
}

export interface Mailer {
  /** Returns once the mail server has taken the mail. Throws `MailNotSent`. */
  sendMail(mail: Mail): Promise<void>;
}

/** A mail was not taken, or nobody knows. The message holds nothing of the mail. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
  constructor(
    message: string,
    /** The mail server would refuse the same mail again. */
    readonly permanent: boolean,
  ) {
    super(message);
  }
}

/** A mailer for `SMTP_URL` and `MAIL_FROM`. Every mail has a connection of its own, so that none waits unseen. */
export function createMailer({ smtpUrl, from, requiresTls }: Config['mail']): Mailer {
  const sender = parseSender(from);
  const domain = sender.address.slice(sender.address.lastIndexOf('@') + 1);
  const transport = createTransport({
    url: smtpUrl,
    requireTLS: requiresTls,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    dnsTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async sendMail({ to, messageId, subject, text, html }) {
      if (!isEmailAddress(to)) throw new MailNotSent('The address is not a mail address', true);
      if (![messageId, subject].every(isOneLine))
        throw new MailNotSent('A header has more than one line', true);
      try {
        await transport.sendMail({
          from: sender,
          to: { name: '', address: to },
          subject,
          text,
          html,
          messageId: `<${messageId}@${domain}>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        throw notSent(error as SmtpError);
      }
    },
  };
}

/** `name@domain` or `Some Name <name@domain>`. The name may hold what would part addresses elsewhere. */
function parseSender(from: string): { name: string; address: string } {
  const [, name = '', bracketed, bare] = /^(?:(.*?)\s*<([^<>]*)>|(.*))$/.exec(from) ?? [];
  const address = bracketed ?? bare ?? '';
  if (isEmailAddress(address) && isOneLine(name)) return { name, address };
  throw new Error(
    'Configuration: MAIL_FROM must be an address, or a name with an <address>. See .env.example.',
  );
}

/** Without control characters, none of which belongs in a header. */
function isOneLine(text: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(text);
}

/** What the transport tells of a failure beside its message, which may hold the address. */
interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  command?: string;
}

function notSent({ code = 'unknown', responseCode, command = 'CONN' }: SmtpError): MailNotSent {
  if (responseCode === undefined)
    return new MailNotSent(`No answer of the mail server (${code}, ${command})`, false);
  // Refused for the recipient's or the content's sake. What is refused earlier is for operators to mend.
  const permanent = responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
  return new MailNotSent(`The mail server answered ${responseCode} to ${command}`, permanent);
}
