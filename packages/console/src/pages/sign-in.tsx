import { useState } from 'preact/hooks';
import { send } from '../api';
import { messageOf } from '../../../parts/src/rejection';
import { Failure } from '../../../parts/src/basics';
import { Field } from '../../../parts/src/form';
import type { Session } from '../types';

interface SignInProps {
  /** Why the last session has ended; undefined if none has, or if the user signed out. */
  ending: string | undefined;
  signedIn: (session: Session) => void;
}

export function SignInPage({ ending, signedIn }: SignInProps) {
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
    <main class="sign-in">
      <form class="card" onSubmit={submit}>
        <h1>Sign in</h1>
        {ending !== undefined && (
          <p class="notice" role="status">
            {ending}
          </p>
        )}
        <p class="quiet">With the API key of your account. The browser keeps neither key nor secret.</p>
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
    </main>
  );
}
