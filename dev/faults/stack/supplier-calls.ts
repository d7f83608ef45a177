/** Recognises the calls that faults can affect, in the interface of each supplier. */
import type { SupplierCall } from '../plan/disturbance';
import type { SupplierName } from '../plan/suppliers';
import type { Subject } from './tampering';

/** The call in the form `<method> <path>`. A lookup without a reference belongs to none: it may be a statement. */
interface Interface {
  purchase: RegExp;
  lookup: RegExp;
  esim: RegExp;
  reference: (url: URL, body: string) => string;
}

/** Our reference in a query, a path or a body, where a UUID may precede it. Zendit gets long ones without their beginning. */
const ourReference = /(?:order-)?\d+-[0-9a-z]{12}-(?:x\d{9}|\d{4})(?![0-9a-z])/;

/** Our references in a text, each once, without the beginning that Zendit does not get. */
export function referencesIn(text: string): string[] {
  const found = text.match(new RegExp(ourReference, 'g')) ?? [];
  return [...new Set(found.map((reference) => reference.replace('order-', '')))];
}

function anywhere({ pathname, search }: URL, body: string): string {
  return ourReference.exec(`${pathname}${search} ${body}`)?.[0] ?? '';
}

const interfaces: Readonly<Record<SupplierName, Interface>> = {
  simulator: {
    purchase: /^POST \/purchases$/,
    lookup: /^GET \/purchases$/,
    esim: /^GET \/esims\//,
    reference: ({ searchParams }, body) =>
      searchParams.get('reference') ?? (JSON.parse(body) as { reference: string }).reference,
  },
  dtone: {
    purchase: /^POST \/v1\/async\/transactions$/,
    lookup: /^GET \/v1\/transactions$/,
    esim: /^POST \/v1\/lookup\//,
    reference: anywhere,
  },
  reloadly: {
    purchase: /^POST \/(giftcards\/orders|topups\/topups-async|utilities\/pay)$/,
    lookup: /^GET \/(giftcards\/reports|topups\/topups\/reports|utilities)\/transactions$/,
    // It sells none.
    esim: /^$/,
    reference: anywhere,
  },
  zendit: {
    purchase: /^POST \/v1\/(topups|vouchers|esim)\/purchases$/,
    lookup: /^GET \/v1\/(topups|vouchers|esim)\/purchases\/[^/]+$/,
    esim: /^GET \/v1\/esim\/\d+\/plans$/,
    reference: anywhere,
  },
  airalo: {
    purchase: /^POST \/v2\/orders$/,
    lookup: /^GET \/v2\/orders$/,
    esim: /^GET \/v2\/sims\//,
    reference: anywhere,
  },
};

/** The subject of the request to the supplier. */
export function subjectOf(supplier: SupplierName, method: string, path: string, body: Buffer): Subject {
  const { reference, ...patterns } = interfaces[supplier];
  const url = new URL(path, 'http://supplier');
  const line = `${method} ${url.pathname}`;
  const calls: readonly SupplierCall[] = ['purchase', 'lookup', 'esim'];
  const call = calls.find((name) => patterns[name].test(line));
  if (call === undefined) return { call, reference: '' };
  if (call === 'esim') return { call, reference: url.pathname };
  const named = reference(url, body.toString());
  return named === '' ? { call: undefined, reference: '' } : { call, reference: named };
}
