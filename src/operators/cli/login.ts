/** `ops login|logout|whoami`, and the login of every other command. docs/operators/people.md. */
import type { Command } from 'commander';
import { readVariable } from '../../settings/read-settings';
import { SIGN_IN_LINK } from '../operations/json-arguments';
import {
  forgetLogin,
  logInOperator,
  logOutOperator,
  readLogin,
  storeLogin,
  whoAmI,
  type Login,
} from './operator-login';
import { callOperators } from './operators-process';
import { CommandFailed, show } from './output';

type Access = Pick<Login, 'url' | 'token'>;

/** OPS_TOKEN of a service account, or the login of this user. Throws, with what to do, without one. */
export function currentLogin(): Access {
  const [url, token] = [readVariable('OPS_URL'), readVariable('OPS_TOKEN')];
  if (url && token) return { url, token };
  const stored = readLogin();
  if (stored && (!url || url === stored.url)) return stored;
  throw new CommandFailed(`You are not logged in${url ? ` at ${url}` : ''}. Log in with: ops login ${url || '<url>'}`);
}

const withToken =
  'There is no login to end: commands use OPS_TOKEN, the token of a service account or of the stack of this checkout.';

/** The link for the local admin of a sandbox, whose token `npm run ops` has. Undefined for all others. */
async function localLink(): Promise<string | undefined> {
  const [url, token] = [readVariable('OPS_URL'), readVariable('OPS_TOKEN')];
  if (!url || !token) return undefined;
  const response = await callOperators({ url, token }, SIGN_IN_LINK, { method: 'POST' });
  return response.ok ? ((await response.json()) as { link: string }).link : undefined;
}

export function addLoginCommands(program: Command): void {
  program
    .command('login')
    .description(
      'Log in with a browser, for 12 hours. The token lies in your configuration folder. On the stack of npm start: print a link that signs in',
    )
    .argument('[url]', "the operators' process; default: OPS_URL, otherwise that of the last login")
    .action(async (named: string | undefined) => {
      const url = named ?? readVariable('OPS_URL') ?? readLogin()?.url;
      if (!url) throw new CommandFailed("Name the address of the operators' process: ops login <url>");
      const link = named === undefined ? await localLink() : undefined;
      if (link !== undefined)
        return console.log(`Open ${link} within 15 minutes. It signs you in once, as the local admin.`);
      const login = await logInOperator(url, { say: (sentence) => console.error(sentence) });
      storeLogin(login);
      console.log(`You are logged in at ${url} until ${login.expiresAt}.`);
    });

  program
    .command('logout')
    .description('End the session of this machine')
    .action(async () => {
      const login = readLogin();
      if (!login) throw new CommandFailed(readVariable('OPS_TOKEN') ? withToken : 'You are not logged in.');
      await logOutOperator(login);
      forgetLogin();
      console.log('You are logged out.');
    });

  program
    .command('whoami')
    .description('Your name and role, and when the login ends')
    .action(async (_options: object, command: Command) => {
      const login = currentLogin();
      const person = await whoAmI(login);
      if (!person) throw new CommandFailed(`Your login at ${login.url} has ended. Log in with: ops login ${login.url}`);
      const { name, email, role, kind, expiresAt } = person;
      show(command, [{ name, email, role, kind, expires_at: expiresAt, url: login.url }]);
    });
}
