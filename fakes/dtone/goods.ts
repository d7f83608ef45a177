/** The goods of a transaction, derived from its id, so that every read gives the same goods. */
import { digits, hash, iccidFrom } from '../kit/goods';

export interface Pin {
  readonly code: string;
  readonly serial: string;
}

export interface Profile {
  readonly iccid: string;
  readonly activation_code: string;
  readonly apple_universal_link: string;
  readonly android_universal_link: string;
  readonly installation_url: string;
}

/** A code with a leading zero, and a serial number with two. */
export function pinOf(id: bigint): Pin {
  return { code: `0${digits(seedOf(id), 'code', 15)}`, serial: `00${digits(seedOf(id), 'serial', 10)}` };
}

/** An installable eSIM. */
export function profileOf(id: bigint): Profile {
  const matching = hash(seedOf(id), 'matching').toString('hex').slice(0, 20).toUpperCase();
  const code = `LPA:1$smdp.roam-world.example$${matching}`;
  return {
    iccid: iccidOf(id),
    activation_code: code,
    apple_universal_link: `https://esimsetup.apple.example/esim_qrcode_provisioning?carddata=${code}`,
    android_universal_link: `https://esimsetup.android.example/esim_qrcode_provisioning?carddata=${code}`,
    installation_url: `https://install.roam-world.example/${matching.toLowerCase()}`,
  };
}

/** The operator's reference of a top-up or a bill. */
export function operatorReferenceOf(id: bigint): string {
  return `0${digits(seedOf(id), 'operator', 11)}`;
}

/** An ICCID. Its last digits are not those of a sandbox number. */
function iccidOf(id: bigint): string {
  return iccidFrom(
    `8944${digits(seedOf(id), 'iccid', 12)}${4 + (hash(seedOf(id), 'iccid').readUInt8(31) % 6)}`,
  );
}

/** Names the supplier, because transactions of two suppliers may have the same id. */
const seedOf = (id: bigint) => `dtone ${id}`;
