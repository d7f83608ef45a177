/** SQL about unlimited plans of other suppliers that operators named as the same plan. */

/** SQL: joins the offer of `source`, which its supplier may not list. */
export const joinOffer = `LEFT JOIN supplier_offers offer
      ON (offer.supplier, offer.family, offer.sku) = (source.supplier, source.family, source.sku)`;

/**
 * SQL: what `product_sources.same_plan` holds while neither the plan of the catalogue (`plan`) nor that of the source (`offer`) has
 * changed since an operator named them the same.
 */
export const samePlanMark = `md5(jsonb_build_array(
           trim_scale(plan.data_amount_gb), plan.validity_days, plan.name, plan.description, offer.terms ->> 'name', offer.terms ->> 'terms',
           offer.terms #> '{plan,dataAmountGb}', offer.terms #> '{plan,validityDays}')::text)`;
