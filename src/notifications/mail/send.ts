/** Sends mail over SMTP. Errors hold no address, because Temporal and logs show them. */
import { createTransport } from 'nodemailer';
import type { Config } from '../../settings/config';
import { minute } from '../../domain/time';
import { isEmailAddress } from './address';

/** Limit for connecting to a mail server and for its greeting. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Limit for a mail server's silence. Giving up earlier may send a mail twice, if a slow server accepts it (RFC 5321, 4.5.3.2.6). */
const SOCKET_TIMEOUT_MS = 10 * minute;

export interface Mail {
  /** One address, nothing else. */
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The part before the `@` of the Message-ID: the same in every attempt, so that mail programs recognise a repetition. */
  messageId: string;
}

export interface Mailer {
  /** Returns once the mail server has accepted the mail. Throws `MailNotSent`. */
  sendMail(mail: Mail): Promise<void>;
}

/** The mail server did not accept the mail, or its response was lost. The message holds nothing of the mail. */
export class MailNotSent extends Error {
  override readonly name = 'MailNotSent';
  constructor(
    message: string,
    /** Whether the mail server would reject the same mail again. */
    readonly permanent: boolean,
  ) {
    super(message);
  }
}

/** A mailer for `SMTP_URL` and `MAIL_FROM`. Each mail has its own connection, so that none waits in a hidden queue. */
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
      if (![messageId, subject].every(isOneLine)) throw new MailNotSent('A header has more than one line', true);
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

/** Parses `name@domain` or `Some Name <name@domain>`. The name may contain characters that otherwise separate addresses. */
function parseSender(from: string): { name: string; address: string } {
  const [, name = '', bracketed, bare] = /^(?:(.*?)\s*<([^<>]*)>|(.*))$/.exec(from) ?? [];
  const address = bracketed ?? bare ?? '';
  if (isEmailAddress(address) && isOneLine(name)) return { name, address };
  throw new Error('Configuration: MAIL_FROM must be an address, or a name with an <address>. See .env.example.');
}

/** Whether the text has no control characters, which headers must not contain. */
function isOneLine(text: string): boolean {
  return !/[\p{Cc}\u2028\u2029]/u.test(text);
}

/** An error of the transport. Its message may hold the address. */
interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  command?: string;
}

function notSent({ code = 'unknown', responseCode, command = 'CONN' }: SmtpError): MailNotSent {
  if (responseCode === undefined) return new MailNotSent(`No answer of the mail server (${code}, ${command})`, false);
  // Permanent: the server rejects the recipient or the content. If it rejects an earlier command, operators can resolve the cause.
  const permanent = responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
  return new MailNotSent(`The mail server answered ${responseCode} to ${command}`, permanent);
}
