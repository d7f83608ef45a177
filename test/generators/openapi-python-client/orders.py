"""Places and reads one order of each family with the client of openapi-python-client. Prints what it read as JSON."""

import json
import os

from digital_goods_client import AuthenticatedClient, Client
from digital_goods_client.api.authentication import login
from digital_goods_client.api.e_sim import create_esim_order, get_esim_order
from digital_goods_client.api.top_ups import create_topup_order, get_topup_order
from digital_goods_client.api.vouchers import create_voucher_order, get_voucher_order, list_voucher_orders
from digital_goods_client.api.wallets import list_wallets
from digital_goods_client.api.webhook_events import list_webhook_events
from digital_goods_client.models import EsimOrderRequest, LoginRequest, TopupOrderRequest, VoucherOrderRequest

api = os.environ["API"]
bodies = json.loads(os.environ["BODIES"])
request = LoginRequest(username=os.environ["KEY"], password=os.environ["SECRET"])
session = login.sync(client=Client(base_url=api), body=request)
client = AuthenticatedClient(base_url=api, token=session.data.access_token, raise_on_unexpected_status=True)

families = {
    "voucher": (create_voucher_order, VoucherOrderRequest, get_voucher_order),
    "topup": (create_topup_order, TopupOrderRequest, get_topup_order),
    "esim": (create_esim_order, EsimOrderRequest, get_esim_order),
}
balance = list_wallets.sync(client=client)[0].balance
orders = {}
for family, (create, model, read) in families.items():
    created = create.sync(client=client, body=model.from_dict(bodies[family]))
    order = read.sync(created.id, client=client)
    orders[family] = {"id": order.id, "status": order.status, "charged_amount": order.charged_amount}
# The client sends the default of every parameter that has one.
assert len(list_voucher_orders.sync(client=client)) == 1
events = list_webhook_events.sync(client=client)
print(json.dumps({"balance": balance, "orders": orders, "has_events": len(events) > 0}))
