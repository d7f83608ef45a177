-- The rights of the roles that do not own the schema; `migrate` grants them. {service}: API and worker. {operator}: the operators'
-- process. {operatorIdentity}: its sign-in, which has a schema of its own and no right in any other. {memberIdentity}: that of
-- clients' members, likewise.
-- {retention}: the maintenance of the audit, which deletes entries and writes those about operators' calls in Temporal. Every table
-- of a migration must be here (test/data/grants.test.ts).

REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {service}, {operator}, {operatorIdentity}, {memberIdentity}, {retention};
REVOKE ALL ON ALL SEQUENCES IN SCHEMA public FROM {service}, {operator}, {operatorIdentity}, {memberIdentity}, {retention};
REVOKE ALL ON SCHEMA identity_operators, identity_members
  FROM PUBLIC, {service}, {operator}, {operatorIdentity}, {memberIdentity}, {retention};
REVOKE ALL ON ALL TABLES IN SCHEMA identity_operators, identity_members
  FROM {service}, {operator}, {operatorIdentity}, {memberIdentity}, {retention};
-- Temporary tables can fill the disk to which the ledger is written. Only the service and the operators' process may create them,
-- for the comparison with suppliers' sales.
REVOKE TEMPORARY ON DATABASE {database} FROM PUBLIC, {operatorIdentity}, {memberIdentity}, {retention};
GRANT TEMPORARY ON DATABASE {database} TO {service}, {operator};
GRANT USAGE ON SCHEMA public TO {service}, {operator}, {retention};
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO {service}, {operator};

-- Written by migrations and by the ops CLI.
GRANT SELECT ON migrations, schema_functions, applied_functions, clients, api_keys, members, member_sessions, categories,
  subcategories, topup_products,
  voucher_denominations, topup_variants, source_states, listed_sources, stopped_sales, stopped_products, stopped_items,
  supplier_pauses, supplier_balance_alerts,
  forex_rates, reference_rates, cost_rates, conversion_fees, client_discounts, client_blacklist, margin_rules, spend_rules TO {service};
-- Rows are locked while a session begins or an endpoint is added; for that, PostgreSQL requires the right to change a column.
GRANT UPDATE (created_at) ON clients, members TO {service};
GRANT UPDATE (last_used_at) ON api_keys TO {service};
-- Clients change their keys, networks and members with these, and operators the members of a client.
REVOKE EXECUTE ON FUNCTION create_api_key, roll_api_key, revoke_api_key, set_allowed_networks, invite_member, change_member,
  remove_member, unlock_member, require_second_factor, enter_member, link_invitation, add_invitation, set_member_state,
  take_member_out, forget_wrong_codes, sessions_of_members, end_sessions_of_members FROM PUBLIC;
GRANT EXECUTE ON FUNCTION create_api_key, roll_api_key, revoke_api_key, set_allowed_networks, invite_member, change_member,
  remove_member, unlock_member, require_second_factor, enter_member, link_invitation TO {service};
GRANT EXECUTE ON FUNCTION add_invitation, set_member_state, take_member_out, forget_wrong_codes, sessions_of_members,
  end_sessions_of_members
  TO {operator};

-- Triggers that run as the owner of the schema. A role that may execute one could make it a trigger of a temporary table, and so choose
-- the row.
REVOKE EXECUTE ON FUNCTION record_credited_refund, record_credit_limit, count_activity, keep_supplier_credit, conclude_replacement, mail_key_change,
  mail_network_change, mail_member_change, mail_endpoint_change FROM PUBLIC;

-- Written by the seeding of a sandbox.
GRANT SELECT ON sandbox_scenarios TO {service};

-- History: added to, never changed. The trigger operators_money_written rejects FUNDING and ADJUSTMENT, and check_conversion a CONVERSION
-- that is no half of a pair.
GRANT SELECT, INSERT ON transactions, conversions TO {service};
REVOKE EXECUTE ON FUNCTION lock_conversion_terms, check_conversion FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_conversion_terms TO {service};
-- Kept by triggers, with the limits and the credits of suppliers that operators set.
GRANT SELECT ON credit_limits, supplier_credits TO {service};
REVOKE EXECUTE ON FUNCTION fund_sandbox_wallet FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fund_sandbox_wallet TO {service};
-- Requested and cancelled by clients, credited by operators. A trigger lets a request end once, and be credited only by its entry.
GRANT SELECT, INSERT (client_id, wallet_id, amount, reference, sealed_purchase_order, expires_at),
  UPDATE (state, ended_at, transaction_id, sealed_purchase_order) ON funding_requests TO {service};
GRANT UPDATE (state, ended_at, transaction_id) ON funding_requests TO {operator};
-- Imported and credited by operators: a trigger lets an entry be credited once. Maintenance deletes old ones.
GRANT INSERT ON bank_files, bank_statements, bank_bookings, bank_statement_bookings, bank_words, bank_entries TO {operator};
GRANT UPDATE (series, gap_accepted_at) ON bank_statements TO {operator};
GRANT UPDATE (file_id, amount, is_reversal, sealed_keys, content_hash, reference_hash, is_of_old_reader) ON bank_bookings TO {operator};
GRANT DELETE ON bank_bookings TO {operator};
GRANT UPDATE (state, ended_at, transaction_id, takes_back_id, proposal_id, booking_id, file_id, is_reversal, refs, sealed_entry) ON bank_entries TO {operator};
GRANT SELECT, UPDATE (sealed_entry) ON bank_entries TO {service};
GRANT SELECT ON bank_files, bank_statements, bank_bookings, bank_statement_bookings, bank_words TO {service};
-- Fetched by operators. Maintenance deletes old ones.
GRANT INSERT, UPDATE ON fetched_rates TO {operator};
GRANT SELECT, DELETE ON fetched_rates TO {service};
-- Requests of clients and operators about recipients: added to, and the erasures done once.
GRANT SELECT, INSERT ON privacy_requests, order_erasures TO {service}, {operator};
GRANT UPDATE (erased_at) ON order_erasures TO {service}, {operator};
GRANT UPDATE (sealed_text) ON claims TO {service};
-- Written by operators, erased by both.
GRANT SELECT, UPDATE (sealed_text) ON order_texts TO {service}, {operator};
GRANT INSERT ON order_texts TO {operator};
-- Inserted by operators. The process that carries one out posts its entry, and a trigger then records the entry in the row.
GRANT SELECT ON order_refunds, refund_imports, refund_import_lines TO {service};
GRANT UPDATE (ended_at) ON refund_imports TO {service};
GRANT INSERT ON order_refunds, refund_imports, refund_import_lines TO {operator};
-- Kept by triggers, with the entries and the refunds of operators.
GRANT SELECT ON operator_references TO {service};
GRANT INSERT ON operator_references TO {operator};
GRANT UPDATE (paused, ended_at) ON refund_imports TO {operator};
-- Filed by clients, decided by operators. In a sandbox, clients decide with these functions. What ends a refund or a replacement
-- ends its claim by a trigger.
GRANT SELECT, INSERT (client_id, order_id, unit, kind, sealed_text, due_at) ON claims TO {service};
GRANT SELECT ON claim_days TO {service};
-- Who opened a claim stays.
GRANT UPDATE (sealed_text, state, outcome, refund_order_id, refund_number, replacement_order_id, supplier_credit, supplier_credit_currency,
  supplier_credit_value, supplier_credited_at, closed_at) ON claims TO {operator};
GRANT INSERT, UPDATE, DELETE ON claim_days TO {operator};
REVOKE EXECUTE ON FUNCTION sandbox_decide_claim, sandbox_replace_claim, open_claim FROM PUBLIC;
GRANT EXECUTE ON FUNCTION open_claim TO {operator};
GRANT EXECUTE ON FUNCTION sandbox_decide_claim, sandbox_replace_claim TO {service};
-- Only the columns of a client's entry; triggers enforce the rest.
GRANT SELECT, INSERT (actor_kind, client_id, api_key_id, member_id, address, request_id, action, object, before, after)
  ON audit_entries TO {service};
GRANT SELECT, DELETE,
  INSERT (at, actor_kind, client_id, operator, command, reason, source, action, object, before, after)
  ON audit_entries TO {retention};

-- Money, sales and obligations: changed, never deleted.
GRANT SELECT, INSERT, UPDATE ON esim_orders, topup_orders, vouchers, supplier_purchases, quarantined_goods,
  client_clocks, data_keys, supplier_health, supplier_calls, supplier_tokens,
  supplier_turns, maintenance_tasks,
  ledger_verifications, event_counts, ledger_counted, ledger_totals, order_totals TO {service};
GRANT SELECT, UPDATE ON lookup_buckets, esim_products, pricing_version, events_counted TO {service};
-- An order keeps its client, its product and its price, from which its refunds follow.
GRANT SELECT, INSERT, UPDATE (status, delivered_quantity, completed_at, failure_code, held, sources, sealed_email, email_hash, mailbox_hash,
  network, mailed_at, mail_given_up_at, refund_count, replacement_count) ON orders TO {service};
-- A wallet keeps its client and its currency. Operators open, close and choose wallets.
GRANT SELECT, UPDATE (balance, entry_count, low_balance_threshold, low_balance_notified, confirm_above, updated_at) ON wallets TO {service};
-- The reference data of a release, which `migrate` writes. The API of the previous release repeats them at its start. The triggers
-- currencies_added and currencies_changed reject what money depends on.
GRANT SELECT, INSERT (name, official_name, alpha_2, alpha_3, numeric_code, dialing_prefix),
  UPDATE (name, official_name, alpha_2, numeric_code, dialing_prefix) ON countries TO {service};
GRANT SELECT, INSERT (name, code, numeric_code, symbol, minor_unit),
  UPDATE (name, numeric_code, symbol, minor_unit) ON currencies TO {service};
-- Image and texts of a voucher follow its supplier's catalogue.
GRANT SELECT, UPDATE (image_url, terms, how_to_use) ON voucher_products TO {service};
GRANT SELECT, INSERT, UPDATE ON esim_variants, product_sources, supplier_offers TO {service};
-- The image of a top-up follows its supplier's catalogue.
GRANT UPDATE (image_url) ON topup_products TO {service};

-- Deleted after its retention. docs/operators/maintenance.md#retention.
GRANT SELECT, INSERT, UPDATE, DELETE ON supplier_balances, supplier_circuits, supplier_sales,
  order_reservations, order_counts, daily_orders, activity_counts, token_families, refresh_tokens, attention, events, webhook_endpoints, webhook_deliveries,
  webhook_attempts, webhook_previous_secrets, webhook_replays, margin_rejections,
  webhook_disablings, running_processes, operator_messages, order_rejections, order_results TO {service};

-- Written by operators. Maintenance deletes old sums.
GRANT SELECT ON approval_rules, approval_proposals, confirmed_values TO {service};
-- Files are erased when their proposal has ended, and with a recipient.
GRANT UPDATE (sealed_files) ON approval_proposals TO {service}, {operator};
GRANT SELECT, DELETE ON counted_operations TO {service};

-- Rolled up. What changes the cost of an ended order marks its day.
GRANT SELECT, INSERT, DELETE ON order_sums, outdated_order_sums TO {service};
GRANT SELECT, UPDATE ON orders_summed TO {service};
GRANT INSERT ON outdated_order_sums TO {operator};

-- Of the previous release.
GRANT SELECT, INSERT, UPDATE, DELETE ON settlement_differences TO {service};
-- Added and settled by comparisons with suppliers' statements, never deleted.
GRANT SELECT, INSERT, UPDATE (resolution, resolved_at) ON statement_differences TO {service};
GRANT INSERT, UPDATE (resolution, resolved_at, resolved_by, reason) ON statement_differences TO {operator};
GRANT SELECT, INSERT ON statement_comparisons TO {service};
GRANT INSERT ON statement_comparisons TO {operator};
-- Closed months never change.
GRANT SELECT ON book_months, book_lines TO {service};
GRANT INSERT ON book_months, book_lines TO {operator};

-- Deleted when a mail goes out.
GRANT SELECT, INSERT, UPDATE, DELETE ON mail_outage, low_balance_mails, refund_mails TO {service};
GRANT SELECT, UPDATE, DELETE ON access_mails TO {service};

-- The end of an entry on the attention list ends its taking.
GRANT SELECT, DELETE ON attention_takings TO {service};
GRANT SELECT ON attention_notes TO {service};
-- Added by the placement of orders.
GRANT SELECT, INSERT ON client_networks TO {service};

-- Recorded by triggers of both, and announced by maintenance.
GRANT SELECT, INSERT, DELETE ON catalogue_changes TO {service};
GRANT INSERT ON catalogue_changes TO {operator};
GRANT SELECT, INSERT, UPDATE ON catalogue_versions TO {service};
GRANT SELECT, UPDATE ON catalogue_announced TO {service};

-- Added in batches and deleted, never changed.
GRANT SELECT, INSERT, DELETE ON api_requests, sandbox_faults, webhook_resends TO {service};

-- The operators' process reads everything, adds to history and never changes it, and sets what operators set. Triggers name the
-- person in the audit.
GRANT SELECT ON ALL TABLES IN SCHEMA public TO {operator};
GRANT INSERT ON transactions TO {operator};
GRANT INSERT (actor_kind, client_id, operator, database_role, door, command, reason, approver, action, object, before, after)
  ON audit_entries TO {operator};
-- What was proposed stays as it was proposed; a decision is added once.
GRANT INSERT, DELETE, UPDATE (day_amount, roles) ON approval_rules TO {operator};
GRANT INSERT, UPDATE (state, decided_by, decided_at) ON approval_proposals TO {operator};
GRANT INSERT ON counted_operations TO {operator};
GRANT INSERT, UPDATE ON confirmed_values TO {operator};
-- An approval asks what its proposer may do now.
REVOKE EXECUTE ON FUNCTION lock_account FROM PUBLIC;
GRANT EXECUTE ON FUNCTION lock_account TO {operator};
GRANT INSERT, UPDATE ON clients, api_keys, wallets, data_keys, client_clocks, orders, esim_orders, topup_orders, vouchers,
  supplier_purchases, quarantined_goods, supplier_health, supplier_calls, supplier_tokens, supplier_turns, event_counts,
  events_counted, ledger_verifications, ledger_counted, ledger_totals, order_totals, pricing_version, lookup_buckets,
  running_processes TO {operator};
GRANT INSERT, UPDATE, DELETE ON categories, subcategories, voucher_products, voucher_denominations, topup_products, topup_variants,
  esim_products, esim_variants, product_sources, supplier_offers, supplier_pauses, stopped_sales, supplier_balance_alerts, client_discounts,
  client_blacklist, margin_rules, spend_rules, client_networks, forex_rates, reference_rates, conversion_fees, cost_rates, source_states, attention,
  settlement_differences, supplier_balances, supplier_circuits, supplier_sales, token_families, refresh_tokens, events,
  webhook_endpoints, webhook_deliveries, webhook_attempts, webhook_previous_secrets, webhook_replays, webhook_resends,
  webhook_disablings, operator_messages, order_counts, daily_orders, order_results, order_reservations, margin_rejections,
  mail_outage, low_balance_mails, refund_mails, attention_takings TO {operator};
GRANT INSERT, DELETE ON attention_notes TO {operator};
GRANT UPDATE (active) ON countries TO {operator};
-- A suspension of a client locks its members.
GRANT UPDATE (created_at) ON members TO {operator};

-- Events of the sign-in: read for metrics. Each door writes its own with `record_event`.
GRANT SELECT ON sign_in_events TO {service};
REVOKE EXECUTE ON FUNCTION identity_operators.record_event, identity_members.record_event FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity_operators.record_event TO {operatorIdentity};
GRANT EXECUTE ON FUNCTION identity_members.record_event TO {memberIdentity};

-- People who sign in at the operators' process. Only their sign-in reads them. A person is never deleted, because the audit names
-- people for years.
GRANT USAGE ON SCHEMA identity_operators TO {operatorIdentity};
GRANT SELECT, INSERT, UPDATE ON identity_operators."user", identity_operators.service_accounts TO {operatorIdentity};
GRANT SELECT, INSERT, UPDATE, DELETE ON identity_operators."session", identity_operators."account",
  identity_operators."verification", identity_operators."twoFactor", identity_operators."deviceCode",
  identity_operators."rateLimit", identity_operators.invitations, identity_operators.invitation_counts,
  identity_operators.mail_code_counts, identity_operators.device_code_counts, identity_operators.wrong_code_counts,
  identity_operators.network_code_counts, identity_operators.network_mail_counts, identity_operators.invitation_links,
  identity_operators.known_devices, identity_operators.used_codes TO {operatorIdentity};

-- Members of clients who sign in to the console. Only their sign-in reads them; `remove_member` deletes a person.
GRANT USAGE ON SCHEMA identity_members TO {memberIdentity};
GRANT SELECT, INSERT, UPDATE ON identity_members."user", identity_members.service_accounts TO {memberIdentity};
GRANT SELECT, INSERT, UPDATE, DELETE ON identity_members."session", identity_members."account",
  identity_members."verification", identity_members."twoFactor", identity_members."deviceCode",
  identity_members."rateLimit", identity_members.invitations, identity_members.invitation_counts,
  identity_members.mail_code_counts, identity_members.device_code_counts, identity_members.wrong_code_counts,
  identity_members.network_code_counts, identity_members.network_mail_counts, identity_members.invitation_links,
  identity_members.known_devices, identity_members.used_codes TO {memberIdentity};
