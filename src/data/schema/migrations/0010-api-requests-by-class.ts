import type { OfIndexes } from './migration';

/** The log of API requests by the class of the status: 5 for 500 to 599. A client may have millions of others. */
export const apiRequestsByClass: OfIndexes = {
  name: '0010-api-requests-by-class',
  indexes: [
    { name: 'api_requests_of_client_by_class', on: 'api_requests (client_id, (status / 100), id DESC)' },
  ],
};
