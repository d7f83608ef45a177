/** Callers of the operators' API of the stack. */
import { randomUUID } from 'node:crypto';
import type { Role } from '../../src/domain/operators/roles';
import { pathOf } from '../../src/operators/operations/json-arguments';
import { operations } from '../../src/operators/operations/operations';
import { ops } from './operator';
import { loadStack } from '../../dev/testbed/loaded-stack';
import type { Json } from './stack';

export interface ServiceCaller {
  name: string;
  token: string;
}

/** A service account with this role; `allowed`: the operations that it may use, by default all that a service account may have. */
export async function serviceCaller(
  role: Role,
  allowed: readonly string[] = operations.filter(({ givesAccess }) => !givesAccess).map(({ name }) => name),
  networks = '',
): Promise<ServiceCaller> {
  const name = `service-${randomUUID()}`;
  const [made] = await ops`service-accounts create ${name} --role ${role} --days 1 --operations
    ${allowed.join(',')} --networks ${networks}`;
  return { name, token: String(made?.['token']) };
}

export interface OperatorAnswer {
  status: number;
  body: Json & { error?: { code: string; message: string } };
}

/** Calls an operation of the stack as a program does. Without a token, as nobody. */
export async function callOperation(
  token: string | undefined,
  name: string,
  args: object = {},
  { preview = false, headers = {} }: { preview?: boolean; headers?: Record<string, string> } = {},
): Promise<OperatorAnswer> {
  const response = await fetch(`${loadStack().ops_url}${pathOf({ name })}${preview ? '?preview=true' : ''}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(args),
  });
  return { status: response.status, body: (await response.json()) as OperatorAnswer['body'] };
}
