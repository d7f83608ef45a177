/** Devices in which a person has signed in before. */
import { identityRows, type IdentityPool } from './identity-pool';

export interface Device {
  personId: string;
  deviceHash: Buffer;
}

/** Whether the person has signed in in the device before. */
export async function isKnownDevice(pool: IdentityPool, device: Device): Promise<boolean> {
  const found = await identityRows(
    pool,
    'SELECT FROM known_devices WHERE person_id = $personId AND device_hash = $deviceHash',
    { ...device },
  );
  return found.length > 0;
}

/** Notes that the person has signed in in the device, with the second factor if the person has one. */
export async function rememberDevice(pool: IdentityPool, device: Device): Promise<void> {
  await identityRows(
    pool,
    `INSERT INTO known_devices (person_id, device_hash) VALUES ($personId, $deviceHash)
     ON CONFLICT (person_id, device_hash) DO UPDATE SET last_used_at = now()`,
    { ...device },
  );
}
