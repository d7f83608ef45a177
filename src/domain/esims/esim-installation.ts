/**
 * Who sees an eSIM's activation code, and how a device installs the profile with it. docs/specification.md#esim-installation.
 * Rule: when an eSIM can be installed
 */
import type { OrderStatus } from '../orders/order-states';

/**
 * Whether clients see the activation code of an order's eSIM: it is delivered, not refunded as unused, and no device has downloaded the
 * profile.
 */
export function isInstallable({
  status,
  installedAt,
  voidedAt,
}: {
  status: OrderStatus;
  installedAt: Date | null;
  voidedAt: Date | null;
}): boolean {
  return status === 'DELIVERED' && installedAt === null && voidedAt === null;
}

/** Links that begin the installation on the device that opens them. Each contains the activation code. */
export interface InstallationLinks {
  /** The activation code itself: the content of the QR code, and the link for programs that handle the scheme `LPA:`. */
  lpa: string;
  /** For iOS 17.4 or newer. */
  apple: string;
  /** For Android 10 or newer, on devices whose maker supports it. */
  android: string;
}

/** The links of an activation code (`LPA:1$<server>$<matching id>`, GSMA SGP.22, 4.1). */
export function installationLinks(activationCode: string): InstallationLinks {
  const carddata = encodeURIComponent(activationCode);
  return {
    lpa: activationCode,
    apple: `https://esimsetup.apple.com/esim_qrcode_provisioning?carddata=${carddata}`,
    android: `https://esimsetup.android.com/esim_qrcode_provisioning?carddata=${carddata}`,
  };
}

/** The steps of the installation, for a person who has the activation code. */
export const installationSteps: readonly string[] = [
  'Connect the phone to Wi-Fi. It must support eSIM and must not be locked to an operator.',
  'If you have a link for your phone, open it. If it does not start the installation, open the settings. iPhone: Settings > Mobile Data (or Cellular) > Add eSIM > Use QR Code > Enter Details Manually. Android: Settings > Network & internet > SIMs > Add SIM > Set up an eSIM (Samsung: Settings > Connections > SIM manager > Add eSIM).',
  'In the settings, choose to enter the details yourself, and type them in.',
  'Where you use the eSIM, choose it for mobile data and switch data roaming on.',
  'The code works once: do not remove the eSIM before it is used up.',
];
