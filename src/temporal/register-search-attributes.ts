/** Registers the search attributes with the server; they must exist before the first order uses them. */
import { isGrpcServiceError, type Client, type Connection } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { attention, clientId, orderId, orderStatus, productFamily } from './search-attributes';

/** gRPC status of a thing that exists already. */
const ALREADY_EXISTS = 6;

const { INDEXED_VALUE_TYPE_INT, INDEXED_VALUE_TYPE_KEYWORD } = temporal.api.enums.v1.IndexedValueType;

const types = {
  [orderId.name]: INDEXED_VALUE_TYPE_INT,
  [clientId.name]: INDEXED_VALUE_TYPE_INT,
  [productFamily.name]: INDEXED_VALUE_TYPE_KEYWORD,
  [orderStatus.name]: INDEXED_VALUE_TYPE_KEYWORD,
  [attention.name]: INDEXED_VALUE_TYPE_KEYWORD,
};

/** Registers the attributes with the namespace; done before, it changes nothing. */
export async function registerSearchAttributes(client: Client): Promise<void> {
  const connection = client.connection as Connection;
  const { namespace } = client.options;
  const known = await connection.operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(types).filter(([name]) => !(name in (known.customAttributes ?? {})));
  if (missing.length === 0) return;
  try {
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing),
    });
  } catch (error) {
    // Another process was faster.
    if (!isGrpcServiceError(error) || (error.code as number) !== ALREADY_EXISTS) throw error;
  }
}
