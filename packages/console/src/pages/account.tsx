import type { ComponentChildren } from 'preact';
import { Tabs } from '../../../parts/src/basics';
import { hrefOf } from '../route';
import type { Session } from '../types';
import { AccessPage } from './access';
import { ActivityPage } from './activity';
import { MembersPage } from './members';

const titles = new Map<string, string>(
  Object.entries({ members: 'Members', access: 'Keys and networks', activity: 'Activity' }),
);

/** A page of those who administer the account; undefined if there is none with the name. */
export function accountPage(
  name: string,
  session: Session,
  query: URLSearchParams,
): { title: string; content: ComponentChildren } | undefined {
  const title = titles.get(name);
  if (title === undefined) return undefined;
  const tabs = [...titles].map(([each, text]) => ({
    name: text,
    href: hrefOf(`account/${each}`),
    isCurrent: each === name,
  }));
  return {
    title,
    content: (
      <>
        <Tabs label="Account" tabs={tabs} />
        {name === 'members' && <MembersPage session={session} query={query} />}
        {name === 'access' && <AccessPage query={query} />}
        {name === 'activity' && <ActivityPage query={query} />}
      </>
    ),
  };
}
