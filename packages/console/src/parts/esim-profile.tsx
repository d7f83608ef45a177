import { useState } from 'preact/hooks';
import { api } from '../api';
import { moment } from '../../../parts/src/format';
import { useLoaded } from '../../../parts/src/loading';
import type { EsimInstallation, Order } from '../types';
import { CopyButton, Copyable, Dialog, Facts, Progress, Status } from '../../../parts/src/basics';
import { QrCode } from './qr-code';

/** The profile of a delivered eSIM. As long as the order has its activation code, a button shows how to install the profile. */
export function Profile({ order }: { order: Order }) {
  const [isOpen, setIsOpen] = useState(false);
  const { activation_code: code, activation_status: status } = order;
  return (
    <section class="card" aria-labelledby="profile">
      <div class="section-head">
        <h2 id="profile">Profile</h2>
        {code && (
          <button type="button" class="primary" onClick={() => setIsOpen(true)}>
            Show QR code and links
          </button>
        )}
      </div>
      <Facts
        of={[
          ['State', status && <Status of={status} />],
          ['ICCID', order.iccid],
          ['Activation code', code === null ? 'cannot be read at the moment' : undefined],
          ['Data', order.data_amount_gb ? `${order.data_amount_gb} GB` : 'unlimited'],
          ['Days', order.validity_days],
          ['Installed', moment(order.installed_at)],
          ['First used', moment(order.activated_at)],
        ]}
      />
      {isOpen && code && (
        <Dialog title="Install the eSIM" close={() => setIsOpen(false)}>
          <QrCode text={code} label="QR code of the activation code" />
          <ActivationCode code={code} />
          <Installation orderId={order.id} />
        </Dialog>
      )}
    </section>
  );
}

/** The activation code, and the parts of it that phones ask for: `LPA:1$<server>$<matching id>` (GSMA SGP.22, 4.1). */
function ActivationCode({ code }: { code: string }) {
  const [, server, matchingId] = code.split('$');
  return (
    <Facts
      of={[
        ['Activation code', <Copyable label="activation code" text={code} />],
        ['SM-DP+ address', server && <Copyable label="SM-DP+ address" text={server} />],
        ['Matching ID', matchingId && <Copyable label="matching ID" text={matchingId} />],
      ]}
    />
  );
}

const platforms = [
  { platform: 'apple', name: 'Install on an iPhone', needs: 'iOS 17.4 or newer' },
  { platform: 'android', name: 'Install on an Android phone', needs: 'Android 10 or newer' },
  { platform: 'lpa', name: 'Install with another program', needs: 'opens LPA: links' },
] as const;

/** The links and steps of the installation, which the service returns as long as the order has its activation code. */
function Installation({ orderId }: { orderId: number }) {
  const path = `/esim/orders/${orderId}/installation`;
  const installation = useLoaded(() => api<EsimInstallation>(path), path);
  const { links, instructions = [] } = installation.data ?? {};
  return (
    <>
      <Progress of={installation} />
      {links && (
        <section aria-labelledby="links">
          <h3 id="links">Links</h3>
          <ul class="links">
            {platforms.map(({ platform, name, needs }) => (
              <li key={platform}>
                <a href={links[platform]} rel="noreferrer">
                  {name}
                </a>{' '}
                <span class="quiet">{needs}</span>
                <CopyButton label={`the link: ${name}`} text={links[platform]} />
              </li>
            ))}
          </ul>
          <p class="hint">Each link contains the activation code. Send it only to the person who installs the eSIM.</p>
        </section>
      )}
      {instructions.length > 0 && (
        <section aria-labelledby="steps">
          <h3 id="steps">Steps</h3>
          <ol>
            {instructions.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </section>
      )}
    </>
  );
}
