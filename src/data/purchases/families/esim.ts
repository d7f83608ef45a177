/** eSIM orders: one profile, in the detail row. */
import { UniqueConstraintError } from 'sequelize';
import type { ActivationStatus } from '../../../domain/esims/esim-lifecycle';
import { profileFault } from '../../../domain/orders/usable-goods';
import { esimField } from '../../../security/encryption-context';
import { readSql } from '../../database/statement-text';
import type { OrderRow, MailableOrder } from '../../orders/order-rows';
import { bucketsOf, ofKind, outcomeBinds, storeOnce, wrongKind, type FamilyStorage } from './family-storage';

/** An eSIM order as its client reads it. */
export interface EsimOrderRow extends OrderRow {
  dataAmountGb: string;
  validityDays: number;
  activationCode: Buffer | null;
  iccid: Buffer | null;
  activationStatus: ActivationStatus | null;
  installedAt: Date | null;
  activatedAt: Date | null;
}

/** What a mail about an eSIM tells. */
export interface MailableEsim extends MailableOrder {
  family: 'ESIM';
  dataAmountGb: string;
  validityDays: number;
  /** Present if the client wants codes in its mails and no device has the profile yet. */
  sealedActivationCode: Buffer | null;
}

const storeStatement = readSql('purchases/statements/store-esim.sql');

export const esimStorage: FamilyStorage = {
  read: {
    columns: [
      'd.data_amount_gb AS "dataAmountGb"',
      'd.validity_days AS "validityDays"',
      'd.activation_code AS "activationCode"',
      'd.iccid',
      'd.activation_status AS "activationStatus"',
      'd.installed_at AS "installedAt"',
      'd.activated_at AS "activatedAt"',
    ],
    join: 'JOIN esim_orders d ON d.order_id = o.id',
  },
  mail: {
    columns: [
      'd.data_amount_gb AS "dataAmountGb"',
      'd.validity_days AS "validityDays"',
      `CASE WHEN c.codes_in_mail AND d.activation_status = 'NOT_INSTALLED'
            THEN d.activation_code END AS "sealedActivationCode"`,
    ],
    join: 'JOIN esim_orders d ON d.order_id = o.id',
  },

  unitFault: (goods) => (goods.kind === 'esim' ? profileFault(goods) : wrongKind),

  async storeUnits({ database, sealer }, purchase, outcome, units) {
    const profile = ofKind(units, 'esim')[0]?.goods;
    const { orderId } = purchase;
    const iccidHashes = profile ? sealer.lookupHashes(profile.iccid) : [];
    const binds = {
      ...outcomeBinds(purchase, outcome),
      activationCode: sealer.sealOptional(esimField(orderId, 'activation_code'), profile?.activationCode),
      iccid: sealer.sealOptional(esimField(orderId, 'iccid'), profile?.iccid),
      iccidHashes,
    };
    const store = () =>
      storeOnce(database, { statement: storeStatement, binds, buckets: bucketsOf([iccidHashes]) });
    try {
      return await store();
    } catch (error) {
      // Another order got the same ICCID at the same moment: now the statement sees it.
      if (!(error instanceof UniqueConstraintError)) throw error;
      return store();
    }
  },
};
