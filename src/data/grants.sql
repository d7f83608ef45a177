-- What the roles that do not own the schema may do in it: {service} runs API and worker, {codec} the codec server.
-- `migrate` applies it as the owner. Every table of a migration has its line here (test/data/grants.test.ts).

REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {service}, {codec};
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {service}, {codec};
GRANT USAGE ON SCHEMA public TO {service}, {codec};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {service};

-- Written by migrations and by the operators' tool.
GRANT SELECT ON migrations, schema_functions, clients, api_keys, categories, subcategories, topup_products,
  voucher_denominations, forex_rates, conversion_fees, client_discounts, client_blacklist TO {service};
-- Their rows are held while a session begins or an endpoint is made, for which PostgreSQL wants a column to change.
GRANT UPDATE (created_at) ON clients, api_keys TO {service};
-- Hashes of a release that did not key them are keyed when the API starts.
GRANT UPDATE (secret_hash, hash_key_id) ON api_keys TO {service};

-- Written by the seeding of a sandbox.
GRANT SELECT ON sandbox_scenarios TO {service};

-- History: added to, never changed.
GRANT SELECT, INSERT ON transactions TO {service};
-- Deleted when it is past its use, and not before: a trigger holds that.
GRANT SELECT, INSERT, DELETE ON audit_entries TO {service};

-- What is owed, sold and promised: changed by its statements, never removed.
GRANT SELECT, INSERT, UPDATE ON orders, esim_orders, topup_orders, vouchers, supplier_purchases, goods_apart,
  webhook_endpoints, client_clocks, data_keys, supplier_health, event_counts, ledger_counted, ledger_totals, countries,
  currencies TO {service};
GRANT SELECT, UPDATE ON wallets, voucher_products, topup_variants, esim_products, pricing_version,
  events_counted TO {service};
GRANT SELECT, INSERT, UPDATE ON esim_variants TO {service};

-- What is past its use is deleted. docs/operators/operations.md#retention.
GRANT SELECT, INSERT, UPDATE, DELETE ON order_intakes, order_counts, daily_orders, token_families, refresh_tokens,
  attention, events, webhook_deliveries, webhook_attempts, webhook_previous_secrets, webhook_replays,
  webhook_disablings, key_holders, operator_messages TO {service};

GRANT SELECT ON payload_keys TO {service}, {codec};
