#!/usr/bin/env python3
"""Compares today's statement of the default wallet with the statement of today's orders, to the cent.

It needs order.py in the same folder, and Python 3.9 or newer. The account is the same as that of order.py.
"""
import csv
import datetime
import decimal
import io

from order import account, run


def lines(text):
    """The lines of a statement by column. The first apostrophe of a text only keeps spreadsheets from reading a formula."""
    rows = csv.DictReader(io.StringIO(text))
    return [{name: value[1:] if value.startswith("'") else value for name, value in row.items()} for row in rows]


def main():
    client = account()
    wallet = next(wallet for wallet in client.call("GET", "/api/v1/wallets") if wallet["is_default"])
    today = datetime.datetime.now(datetime.timezone.utc).date()
    period = f"from={today}&to={today + datetime.timedelta(days=1)}"
    # The orders first: an order placed in between then has an entry but is not in the list, never the reverse.
    orders = lines(client.call("GET", f"/api/v1/statements/orders?{period}"))
    entries = lines(client.call("GET", f"/api/v1/wallets/{wallet['id']}/statement?{period}"))
    if orders[-1]["line"] != "END" or entries[-1]["kind"] != "CLOSING":
        raise SystemExit("A statement is incomplete: get it again")

    faults = []
    balance = decimal.Decimal(entries[0]["balance"])
    for entry in entries[1:-1]:
        amount = decimal.Decimal(entry["amount"])
        balance += amount if entry["type"] == "CREDIT" else -amount
        if balance != decimal.Decimal(entry["balance"]):
            faults.append(f"{entry['kind']} {entry['transaction_id']} leaves {entry['balance']}, not {balance}")

    amounts = {entry["transaction_id"]: entry["amount"] for entry in entries}
    own = [order for order in orders if order["wallet_id"] == str(wallet["id"])]
    for order in own:
        for name, value in (("transaction_id", "charged_amount"), ("refund_transaction_id", "refunded_amount")):
            transaction = order[name]
            if transaction and amounts.get(transaction) != order[value]:
                faults.append(f"Order {order['id']} says {order[value]}, entry {transaction} says {amounts.get(transaction)}")

    print(f"{len(own)} orders, {wallet['currency_code']} {balance} at the end")
    print("\n".join(faults) or "Everything agrees, to the cent")
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    run(main)
