"""Places and reads one order of each family with the package `digital_goods_client`. Prints what it read as JSON."""

import json
import os

from digital_goods_client import AuthenticatedClient, Client, models
from digital_goods_client.api.authentication import login
from digital_goods_client.api.e_sim import create_esim_order, get_esim_order
from digital_goods_client.api.top_ups import create_topup_order, get_topup_order
from digital_goods_client.api.vouchers import create_voucher_order, get_voucher_order
from digital_goods_client.api.wallets import list_wallets
from digital_goods_client.api.webhook_events import list_webhook_events

bodies = json.loads(os.environ["BODIES"])
url = os.environ["API_URL"]
credentials = models.LoginRequest(username=os.environ["API_KEY"], password=os.environ["API_SECRET"])
session = login.sync(client=Client(base_url=url), body=credentials)
client = AuthenticatedClient(base_url=url, token=session.data.access_token, timeout=75)

families = {
    "voucher": (create_voucher_order, models.VoucherOrderRequest, get_voucher_order),
    "topup": (create_topup_order, models.TopupOrderRequest, get_topup_order),
    "esim": (create_esim_order, models.EsimOrderRequest, get_esim_order),
}
read = {}
for family, (create, request, get) in families.items():
    body = request.from_dict({**bodies[family], "client_reference": f"python-{family}"})
    created = create.sync(client=client, body=body)
    read[family] = get.sync(client=client, id=created.id).status
again = create_esim_order.sync(client=client, body=body)
read["rejected"] = again.error.code
read["has_events"] = len(list_webhook_events.sync(client=client)) > 0
read["currency"] = list_wallets.sync(client=client)[0].currency_code
print(json.dumps(read))
