/** Orders and eSIMs as JSON, with the faults that the modes ask for. */
import type { Decimal } from 'decimal.js';
import type { Modes } from '../kit/modes';
import { digitsIn } from '../kit/responses';
import { ACCOUNT_CURRENCY } from '../kit/account';
import { activationCodeOf, appleLinkOf } from '../kit/goods';
import { isoTime, plainTime } from '../kit/times';
import type { Sim } from './goods';
import { isDelivered, shownDescription, simsOf, type Order } from './orders';
import { dataOf, pricing } from './packages';

export interface OrderView {
  /**
   * The call that creates an order writes `quantity` as text, and the reads write `price` as text. The documentation shows
   * both forms of both fields, but does not say which call has which form.
   */
  readonly isCreation: boolean;
  /** The parts of `include`. */
  readonly includes: readonly string[];
  /** The state to show in place of the order's own. */
  readonly status?: string | undefined;
}

/**
 * The order as JSON. Its times have no zone: the documentation does not state their form. In mode `unknown_state`, it has a state that the documentation does not name, and no eSIMs.
 */
export function viewOrder(order: Order, modes: Modes, view: OrderView) {
  const { id, request, pkg, createdAt, status } = order;
  const shown = modes.unknown_state ? 'on_hold' : (view.status ?? status ?? 'failed');
  const sims = isDelivered(shown) ? simsOf(order) : [];
  const { isCreation, includes } = view;
  return {
    id,
    code: codeOf(order),
    currency: ACCOUNT_CURRENCY,
    package_id: pkg.id,
    quantity: isCreation ? String(request.quantity) : request.quantity,
    type: pkg.isTopup ? 'topup' : 'sim',
    description: shownDescription(order),
    esim_type: 'Prepaid',
    validity: pkg.day,
    package: `${pkg.operator.title} - ${pkg.title}`,
    data: dataOf(pkg),
    ...viewMoney(order, isCreation),
    created_at: plainTime(createdAt),
    ...(includes.includes('sims') && { sims: sims.map((sim) => viewSim(sim, order, modes)) }),
    ...(includes.includes('status') && { status: { name: nameOf(shown), slug: shown } }),
  };
}

/** The amounts for the whole order. The documentation does not say whether `price` and `net_price` are for one unit. */
function viewMoney({ request, retail, cost }: Order, isCreation: boolean) {
  const total = (amount: Decimal): number => amount.times(request.quantity).toNumber();
  const price = isCreation ? total(retail) : String(total(retail));
  return { price, net_price: total(cost), pricing_model: pricing.model };
}

/** An eSIM of the order. */
function viewSim(sim: Sim, { pkg, createdAt }: Order, modes: Modes) {
  const code = activationCodeOf(sim.lpa, sim.matching_id);
  const text = digitsIn(modes);
  return {
    id: sim.id,
    created_at: plainTime(createdAt),
    iccid: text(sim.iccid),
    lpa: sim.lpa,
    matching_id: sim.matching_id,
    qrcode: code,
    qrcode_url: `https://qr.fake-airalo.example/${sim.matching_id.toLowerCase()}`,
    direct_apple_installation_url: appleLinkOf(code),
    apn_type: 'automatic',
    apn_value: null,
    is_roaming: pkg.operator.is_roaming,
    confirmation_code: sim.confirmation_code === null ? null : text(sim.confirmation_code),
    ...(sim.msisdn !== null && { msisdn: text(sim.msisdn) }),
  };
}

/** For example 20230227-009666. */
function codeOf({ id, createdAt }: Order): string {
  const day = isoTime(createdAt).slice(0, 10).replaceAll('-', '');
  return `${day}-${String(id).slice(-6)}`;
}

function nameOf(slug: string): string {
  const words = slug.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
