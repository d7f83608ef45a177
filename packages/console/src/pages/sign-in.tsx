import { useState } from 'preact/hooks';
import { send } from '../api';
import { messageOf } from '../../../parts/src/rejection';
import { useLoaded } from '../../../parts/src/loading';
import { Action, Failure } from '../../../parts/src/basics';
import { Field } from '../../../parts/src/form';
import type { Accounts, Session } from '../types';

interface SignInProps {
  /** Why the last session has ended; undefined if none has, or if the user signed out. */
  ending: string | undefined;
  signedIn: (session: Session) => void;
}

/** Where a member signs in, or sets up a second factor, and returns from to the current page. Its filters stay in the browser. */
function identity(page: string): string {
  const [place = ''] = location.hash.split('?');
  return `/identity/${page}?next=${encodeURIComponent(`/console${place}`)}`;
}

export function SignInPage({ ending, signedIn }: SignInProps) {
  // A member who is signed in, but not for an account yet.
  const person = useLoaded(() => send<Accounts>('/session/accounts').catch(() => undefined), 'accounts');
  return (
    <main class="sign-in">
      <div class="card">
        <h1>Sign in</h1>
        {ending !== undefined && (
          <p class="notice" role="status">
            {ending}
          </p>
        )}
        {person.data ? <Choice of={person.data} signedIn={signedIn} /> : <MemberSignIn />}
        {!person.data && <KeySignIn signedIn={signedIn} />}
      </div>
    </main>
  );
}

function MemberSignIn() {
  return (
    <>
      <p class="quiet">As a member of your account, with a code by email.</p>
      <a class="button primary" href={identity('sign-in')}>
        Sign in with your email address
      </a>
    </>
  );
}

/** The accounts of a person who must choose one, or who must set up a second factor first. */
function Choice({ of: { email, accounts }, signedIn }: { of: Accounts; signedIn: SignInProps['signedIn'] }) {
  const enter = async (member_id: number) => {
    await send('/session/account', { method: 'PUT', body: { member_id } });
    signedIn(await send<Session>('/session'));
  };
  const signOut = async () => {
    await send('/session', { method: 'DELETE' });
    location.reload();
  };
  return (
    <>
      <p>{accounts.length === 0 ? `${email} is a member of no account now.` : `You are ${email}. Open an account:`}</p>
      {accounts.map(({ member_id: id, client_name: name }) => (
        <Action key={id} kind="primary" run={() => enter(id)}>
          {name}
        </Action>
      ))}
      <p class="quiet">
        An account may require a second factor. <a href={identity('second-factor/set-up')}>Set it up</a>
      </p>
      <Action run={signOut}>Sign out</Action>
    </>
  );
}

/** For accounts without members. */
function KeySignIn({ signedIn }: Pick<SignInProps, 'signedIn'>) {
  const [apiKey, setApiKey] = useState('');
  const [secret, setSecret] = useState('');
  const [failure, setFailure] = useState<string>();
  const submit = (event: Event) => {
    event.preventDefault();
    setFailure(undefined);
    send<Session>('/session', { method: 'POST', body: { api_key: apiKey, api_secret: secret } }).then(
      signedIn,
      (error: unknown) => setFailure(messageOf(error)),
    );
  };
  return (
    <form onSubmit={submit}>
      <p class="quiet">
        Or with the API key of your account, until it has members. The browser keeps neither key nor secret.
      </p>
      <Field label="API key">
        {(ids) => (
          <input
            {...ids}
            required
            autocomplete="username"
            spellcheck={false}
            value={apiKey}
            onInput={(event) => setApiKey(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="API secret">
        {(ids) => (
          <input
            {...ids}
            required
            type="password"
            autocomplete="current-password"
            value={secret}
            onInput={(event) => setSecret(event.currentTarget.value)}
          />
        )}
      </Field>
      <Failure text={failure} />
      <button class="primary">Sign in</button>
    </form>
  );
}
