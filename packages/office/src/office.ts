/** Who is signed in, and what the person may do. Every page gets it from the context. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { read } from './call';
import { groupsOf, operationsOf, type Group, type OperationView, type OpsDocument } from './operations';

export interface Person {
  name: string;
  email: string;
  role: string;
  hasSecondFactor: boolean;
  needsSecondFactor: boolean;
}

export interface Office {
  person: Person;
  /** What the role is for, in a sentence. */
  roleMeaning: string;
  groups: readonly Group[];
  /** What the role may do, by name. */
  operations: ReadonlyMap<string, OperationView>;
}

export async function readPerson(): Promise<Person> {
  return read<Person>('/identity/person');
}

export async function openOffice(): Promise<Office> {
  const [person, document, { roles }] = await Promise.all([
    readPerson(),
    read<OpsDocument>('/ops/v1/openapi.json'),
    read<{ roles: readonly { role: string; about: string }[] }>('/ops/v1/roles'),
  ]);
  return {
    person,
    roleMeaning: roles.find(({ role }) => role === person.role)?.about ?? '',
    groups: groupsOf(document),
    operations: new Map(operationsOf(document, person.role).map((each) => [each.name, each])),
  };
}

const OfficeContext = createContext<Office | undefined>(undefined);
export const OfficeProvider = OfficeContext.Provider;

export function useOffice(): Office {
  const office = useContext(OfficeContext);
  if (!office) throw new Error('The page is outside of the office.');
  return office;
}

/** Returns the operation of the name; undefined if the role may not use it. */
export function useOperation(name: string): OperationView | undefined {
  return useOffice().operations.get(name);
}
