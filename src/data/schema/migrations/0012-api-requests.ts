import type { InTransaction } from './migration';

/** The log of API requests, which clients read in the console. */
export const apiRequests: InTransaction = {
  name: '0012-api-requests',
  sql: `
-- Written in batches, deleted after seven days. No foreign key: it would lock the row of a client at every batch.
CREATE TABLE api_requests (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  client_id   integer NOT NULL,
  at          timestamptz NOT NULL,
  method      text NOT NULL,
  -- The path with parameters as :name, without the query.
  route       text NOT NULL,
  -- Null if the caller left before the response.
  status      integer,
  duration_ms integer NOT NULL,
  request_id  text NOT NULL
);
CREATE INDEX api_requests_of_client ON api_requests (client_id, id DESC);
-- The class of the status: 5 for 500 to 599. A client may have millions of entries of other classes.
CREATE INDEX api_requests_of_client_by_class ON api_requests (client_id, (status / 100), id DESC);
`,
};
