/** What an eSIM profile must look like to be of use to a device. */
import { safeText, type SafeText } from '../safe-text';
import { codeFault } from '../orders/usable-goods';

/** `LPA:1`, the profile server's name and the matching ID (GSMA SGP.22, section 4.1). */
const lpa = /^LPA:1\$[a-z0-9-]+(\.[a-z0-9-]+)+\$[a-z0-9-]+$/i;

/**
 * What is wrong with a profile, or undefined. Says nothing of its contents: they are secret, the
 * fault is not.
 */
export function profileFault({
  iccid,
  activationCode,
}: {
  iccid: string;
  activationCode: string;
}): SafeText | undefined {
  if (!/^\d{19,20}$/.test(iccid)) return safeText`the ICCID has not 19 or 20 digits`;
  if (!passesLuhn(iccid)) return safeText`the check digit of the ICCID is wrong`;
  if (!lpa.test(activationCode)) return safeText`the activation code is no LPA string of three parts`;
  return codeFault(safeText`activation code`, activationCode);
}

/** The Luhn check of ITU-T E.118: from the right, every second digit counts double. */
function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
