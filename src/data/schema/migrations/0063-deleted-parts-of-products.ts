import type { OfIndexes } from './migration';

/** Finds the audit of denominations and discounts that no longer exist by their product. Entries of other deletions are not in the index. */
export const deletedPartsOfProducts: OfIndexes = {
  name: '0063-deleted-parts-of-products',
  indexes: [
    {
      name: 'audit_entries_of_deleted_parts',
      on: `audit_entries ((before ->> 'product_id')) WHERE action IN ('voucher_denomination.deleted', 'discount.deleted')`,
    },
  ],
};
