/** Registers the search attributes with the server; they must exist before the first order uses them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { ALREADY_EXISTS, hasStatus, INVALID_ARGUMENT } from './grpc-status';
import {
  activationStatus,
  attention,
  clientId,
  failureCode,
  orderId,
  orderStatus,
  productFamily,
  productId,
  supplier,
} from './search-attributes';

/** How often it is asked whether the attributes can be used, and how often at most. */
const RETRY_INTERVAL_MS = 250;
const MAX_ATTEMPTS = 120;

const { INDEXED_VALUE_TYPE_INT, INDEXED_VALUE_TYPE_KEYWORD } = temporal.api.enums.v1.IndexedValueType;

/** Every attribute with its type, as the server is told. */
export const searchAttributeTypes = {
  [orderId.name]: INDEXED_VALUE_TYPE_INT,
  [clientId.name]: INDEXED_VALUE_TYPE_INT,
  [productFamily.name]: INDEXED_VALUE_TYPE_KEYWORD,
  [orderStatus.name]: INDEXED_VALUE_TYPE_KEYWORD,
  [attention.name]: INDEXED_VALUE_TYPE_KEYWORD,
  [failureCode.name]: INDEXED_VALUE_TYPE_KEYWORD,
  [supplier.name]: INDEXED_VALUE_TYPE_KEYWORD,
  [productId.name]: INDEXED_VALUE_TYPE_INT,
  [activationStatus.name]: INDEXED_VALUE_TYPE_KEYWORD,
};

/** The attributes that the server does not know, by name. */
export async function missingSearchAttributes(client: Client): Promise<string[]> {
  const { operatorService } = client.connection as Connection;
  const { namespace } = client.options;
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  return Object.keys(searchAttributeTypes).filter((name) => !(name in (customAttributes ?? {})));
}

/**
 * Registers the attributes with the namespace and returns once workflows can be started with them.
 * Done before, it changes nothing. Throws if the server does not take them within half a minute.
 */
export async function registerSearchAttributes(client: Client): Promise<void> {
  const missing = new Set(await missingSearchAttributes(client));
  if (missing.size === 0) return;
  try {
    await (client.connection as Connection).operatorService.addSearchAttributes({
      namespace: client.options.namespace,
      searchAttributes: Object.fromEntries(
        Object.entries(searchAttributeTypes).filter(([name]) => missing.has(name)),
      ),
    });
  } catch (error) {
    // Another process was faster.
    if (!hasStatus(error, ALREADY_EXISTS)) throw error;
  }
  await untilUsable(client);
}

/** A server answers "added" up to two seconds before its own processes know the attributes. */
async function untilUsable(client: Client): Promise<void> {
  const query = Object.keys(searchAttributeTypes)
    .map((name) => `${name} IS NULL`)
    .join(' AND ');
  for (let attempts = 1; ; attempts++) {
    try {
      await client.workflow.count(query);
      return;
    } catch (error) {
      if (!hasStatus(error, INVALID_ARGUMENT) || attempts === MAX_ATTEMPTS) throw error;
      await sleep(RETRY_INTERVAL_MS);
    }
  }
}
