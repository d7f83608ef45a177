/**
 * The margin floor of a product: which of the margin rules holds for the orders of a client.
 * Rule: which minimum margin holds for an order of a client
 */
import type { Family } from '../../domain/orders/families';

/**
 * SQL: the margin that a source of the product must leave on the orders of the client `$clientId`, in percent of the price; null
 * if no rule sets one. A rule for the client precedes one for the client's group, which precedes one for all clients. Among these,
 * a rule for the product precedes one for the family. The arguments are SQL, never input.
 */
export function marginFloor(family: Family, product: string): string {
  return floorOf(`'${family}'`, product);
}

/** The same, for a family that is SQL, too. */
export function floorOf(family: string, product: string): string {
  return `(
    SELECT rule.min_margin_percent FROM margin_rules rule
     WHERE rule.family = ${family} AND rule.min_margin_percent IS NOT NULL
       AND (rule.product_id IS NULL OR rule.product_id = ${product})
       AND (rule.client_id IS NULL OR rule.client_id = $clientId)
       AND (rule.client_group IS NULL OR rule.client_group = (SELECT client_group FROM clients WHERE id = $clientId))
     ORDER BY rule.client_id IS NULL, rule.client_group IS NULL, rule.product_id IS NULL LIMIT 1)`;
}
