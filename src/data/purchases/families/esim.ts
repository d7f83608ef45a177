/** eSIM orders: one profile, in the detail row. */
import { isUniqueViolation } from '../../database/errors';
import type { ActivationStatus } from '../../../domain/esims/esim-lifecycle';
import { profileFault } from '../../../domain/orders/usable-goods';
import { safeText } from '../../../domain/safe-text';
import { esimField } from '../../../security/sealing';
import { firstRow } from '../../database/database';
import type { OrderRow, MailableOrder } from '../../orders/order-rows';
import {
  bucketsOf,
  ofKind,
  outcomeBinds,
  storeOnce,
  storingStatements,
  wrongKind,
  type FamilyStorage,
  type StoredPurchase,
} from './family-storage';
import { quarantinedElsewhere } from '../quarantined-goods';

/** An eSIM order as its client reads it. */
export interface EsimOrderRow extends OrderRow {
  dataAmountGb: string;
  validityDays: number;
  activationCode: Buffer | null;
  /** Of the profile, sealed for the order that it was delivered for. */
  iccid: Buffer | null;
  /** The order whose profile got the plan; null if the order came with a profile. */
  rechargesOrderId: number | null;
  /** The delivered recharges; null without any. */
  rechargedBy: { order_id: number; delivered_at: string }[] | null;
  activationStatus: ActivationStatus | null;
  installedAt: Date | null;
  activatedAt: Date | null;
  /** Since when the activation code is hidden, because the unused eSIM was refunded; null while it is not. */
  voidedAt: Date | null;
}

/** The content of a mail about an eSIM. */
export interface MailableEsim extends MailableOrder {
  family: 'ESIM';
  dataAmountGb: string;
  validityDays: number;
  /** Present if the client wants codes in its mails and no device has the profile yet. */
  sealedActivationCode: Buffer | null;
  /** Whether the plan was added to the profile of an earlier order. */
  isRecharge: boolean;
}

/** SQL: a row if the profile is quarantined for another order. */
const codeElsewhere = quarantinedElsewhere(
  'SELECT 1, hash FROM unnest($iccidHashes::bytea[] || $activationHashes::bytea[]) AS given (hash)',
  '$iccidHashes::bytea[] || $activationHashes::bytea[]',
  '(SELECT order_id FROM purchase)',
);

// Stores the profile of an eSIM. A stored profile stays. A profile with the ICCID or the activation code of another order is not
// stored: then `present` is empty, or no row is returned if an operator entered the profile.
const profileStatements = storingStatements('ESIM', {
  units: `
profile AS (
  UPDATE esim_orders SET activation_code = $activationCode, iccid = $iccid, iccid_hash = ($iccidHashes::bytea[])[1],
         activation_hash = ($activationHashes::bytea[])[1],
         activation_status = 'NOT_INSTALLED'
   WHERE order_id = (SELECT order_id FROM purchase) AND iccid IS NULL AND $iccid::bytea IS NOT NULL
     AND NOT EXISTS (SELECT FROM esim_orders other WHERE other.iccid_hash = ANY ($iccidHashes))
     AND NOT EXISTS (${codeElsewhere})
     AND NOT EXISTS (SELECT FROM esim_orders other WHERE other.activation_hash = ANY ($activationHashes))
  RETURNING order_id
), present AS (
  SELECT order_id FROM esim_orders WHERE order_id = (SELECT order_id FROM purchase) AND iccid IS NOT NULL
  UNION ALL SELECT order_id FROM profile
), present_units AS (
  SELECT count(*) FROM present
)`,
  delivered: { quantity: '1', when: 'EXISTS (SELECT FROM profile)' },
  present: `CASE WHEN EXISTS (SELECT FROM present) THEN ARRAY[1] ELSE '{}' END`,
});

// Stores that the plan was added to the profile. The profile stays with the order that it was delivered for.
const rechargeStatements = storingStatements('ESIM', {
  units: `
recharged AS (
  UPDATE esim_orders e SET activation_status = 'ACTIVE', installed_at = profile.installed_at
    FROM esim_orders profile
   WHERE e.order_id = (SELECT order_id FROM purchase) AND e.activation_status IS NULL AND $hasUnit::boolean
     AND profile.order_id = e.recharges_order_id
  RETURNING e.order_id
), present AS (
  SELECT order_id FROM esim_orders WHERE order_id = (SELECT order_id FROM purchase) AND activation_status IS NOT NULL
  UNION ALL SELECT order_id FROM recharged
), present_units AS (
  SELECT count(*) FROM present
)`,
  delivered: { quantity: '1', when: 'EXISTS (SELECT FROM recharged)' },
  present: `CASE WHEN EXISTS (SELECT FROM present) THEN ARRAY[1] ELSE '{}' END`,
});

/** SQL: the order `d` that recharges a profile reads the ICCID of the order with the profile. */
const joinProfile = 'LEFT JOIN esim_orders profile ON profile.order_id = d.recharges_order_id';

/** SQL: the delivered recharges of the order `o`. */
const rechargedBy = `
  CASE WHEN o.status = 'DELIVERED' AND d.recharges_order_id IS NULL THEN (
    SELECT jsonb_agg(jsonb_build_object('order_id', recharge.id, 'delivered_at', rfc3339(recharge.completed_at)) ORDER BY recharge.id)
      FROM esim_orders of_recharge JOIN orders recharge ON recharge.id = of_recharge.order_id
     WHERE of_recharge.recharges_order_id = o.id AND recharge.status = 'DELIVERED') END AS "rechargedBy"`;

const isProfile = safeText`it is a profile, and the order recharges one`;

export const esimStorage: FamilyStorage = {
  read: {
    columns: [
      'd.data_amount_gb AS "dataAmountGb"',
      'd.validity_days AS "validityDays"',
      'd.activation_code AS "activationCode"',
      'coalesce(profile.iccid, d.iccid) AS iccid',
      'd.recharges_order_id AS "rechargesOrderId"',
      rechargedBy,
      'd.activation_status AS "activationStatus"',
      'd.installed_at AS "installedAt"',
      'd.activated_at AS "activatedAt"',
      'd.voided_at AS "voidedAt"',
    ],
    join: `JOIN esim_orders d ON d.order_id = o.id ${joinProfile}`,
  },
  mail: {
    columns: [
      'd.data_amount_gb AS "dataAmountGb"',
      'd.validity_days AS "validityDays"',
      `CASE WHEN c.codes_in_mail AND d.activation_status = 'NOT_INSTALLED' AND d.voided_at IS NULL
            THEN d.activation_code END AS "sealedActivationCode"`,
      'd.recharges_order_id IS NOT NULL AS "isRecharge"',
    ],
    join: 'JOIN esim_orders d ON d.order_id = o.id',
  },

  unitFault: (goods, _now, { rechargesOrderId }) => {
    if (rechargesOrderId !== null) return goods.kind === 'recharge' ? undefined : isProfile;
    return goods.kind === 'esim' ? profileFault(goods) : wrongKind;
  },
  unnamedGoods: ({ rechargesOrderId }) => (rechargesOrderId === null ? undefined : [{ kind: 'recharge' }]),

  async storeUnits({ database, sealer }, purchase, outcome, units, mayEnd = false) {
    const which = mayEnd ? 'storeAndEnd' : 'store';
    if (purchase.rechargesOrderId !== null) {
      const binds = { ...outcomeBinds(purchase, outcome), hasUnit: units.length > 0 };
      return firstRow<StoredPurchase>(database, rechargeStatements[which], binds);
    }
    const profile = ofKind(units, 'esim')[0]?.goods;
    const { orderId } = purchase;
    const iccidHashes = profile ? sealer.lookupHashes(profile.iccid) : [];
    const activationHashes = profile && !profile.isTest ? sealer.lookupHashes(profile.activationCode) : [];
    const binds = {
      ...outcomeBinds(purchase, outcome),
      activationCode: sealer.sealOptional(esimField(orderId, 'activation_code'), profile?.activationCode),
      iccid: sealer.sealOptional(esimField(orderId, 'iccid'), profile?.suppliersIccid ?? profile?.iccid),
      iccidHashes,
      activationHashes,
    };
    const store = () =>
      storeOnce(database, {
        statement: profileStatements[which],
        binds,
        buckets: bucketsOf([iccidHashes, activationHashes]),
      });
    try {
      return await store();
    } catch (error) {
      // Another order stored the same ICCID or activation code concurrently: now the statement sees it.
      if (!isUniqueViolation(error)) throw error;
      return store();
    }
  },
};
