/** The goods of a transaction, derived from its id, so that every read gives the same goods. */
import { activationCodeOf, appleLinkOf, digits, hash, iccidFrom, matchingIdFrom, pinFrom } from '../kit/goods';

export interface Profile {
  readonly iccid: string;
  readonly activation_code: string;
  readonly apple_universal_link: string;
  readonly android_universal_link: string;
  readonly installation_url: string;
}

export const pinOf = (id: bigint) => pinFrom(seedOf(id));

/** An installable eSIM. */
export function profileOf(id: bigint): Profile {
  const matching = matchingIdFrom(seedOf(id));
  const code = activationCodeOf('smdp.roam-world.example', matching);
  return {
    iccid: iccidOf(id),
    activation_code: code,
    apple_universal_link: appleLinkOf(code),
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
  return iccidFrom(`8944${digits(seedOf(id), 'iccid', 12)}${4 + (hash(seedOf(id), 'iccid').readUInt8(31) % 6)}`);
}

/** Names the supplier, because transactions of two suppliers may have the same id. */
const seedOf = (id: bigint) => `dtone ${id}`;
