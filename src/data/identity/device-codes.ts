/** What the library does not keep about a device authorization: who asks, and when the approving person gave the second factor. */
import { identityRows, type IdentityPool } from './identity-pool';

/** A machine that asks for a token. */
export interface AskingDevice {
  machine: string;
  address: string;
  expiresAt: Date;
  status: string;
}

/** Adds the machine to a new authorization. */
export async function describeDevice(
  pool: IdentityPool,
  { codeHash, machine, address }: { codeHash: string; machine: string; address: string },
): Promise<void> {
  await identityRows(
    pool,
    'UPDATE "deviceCode" SET machine = $machine, address = $address WHERE "deviceCode" = $codeHash RETURNING id',
    { codeHash, machine, address },
  );
}

/** The machine behind a code that a person has typed; undefined if the code is unknown or has expired. */
export async function findDevice(pool: IdentityPool, userCode: string): Promise<AskingDevice | undefined> {
  const [found] = await identityRows<AskingDevice>(
    pool,
    `SELECT coalesce(machine, '') AS machine, coalesce(address, '') AS address, "expiresAt", status
       FROM "deviceCode" WHERE "userCode" = $userCode AND "expiresAt" > now()`,
    { userCode },
  );
  return found;
}

/** Adds the time of the second factor with which a person approves. */
export async function recordApproval(
  pool: IdentityPool,
  { userCode, secondFactorAt }: { userCode: string; secondFactorAt: Date | null },
): Promise<void> {
  await identityRows(
    pool,
    'UPDATE "deviceCode" SET "secondFactorAt" = $secondFactorAt WHERE "userCode" = $userCode RETURNING id',
    { userCode, secondFactorAt },
  );
}

/** The machine of the code and the time of the approver's second factor. Undefined if the code is unknown. */
export async function findApproval(
  pool: IdentityPool,
  codeHash: string,
): Promise<{ machine: string; secondFactorAt: Date | null } | undefined> {
  const [found] = await identityRows<{ machine: string; secondFactorAt: Date | null }>(
    pool,
    `SELECT coalesce(machine, '') AS machine, "secondFactorAt" FROM "deviceCode" WHERE "deviceCode" = $codeHash`,
    { codeHash },
  );
  return found;
}
