"""Places and reads one order of each family with the generated client `dgo`. Prints what it read as JSON."""

import json
import os

import dgo

bodies = json.loads(os.environ["BODIES"])
config = dgo.Configuration(host=os.environ["API"])

with dgo.ApiClient(config) as api:
    login = dgo.LoginRequest(username=os.environ["KEY"], password=os.environ["SECRET"])
    config.access_token = dgo.AuthenticationApi(api).login(login).data.access_token
    vouchers, topups, esims = dgo.VouchersApi(api), dgo.TopUpsApi(api), dgo.ESIMApi(api)
    families = {
        "voucher": (vouchers.create_voucher_order, dgo.VoucherOrderRequest, vouchers.get_voucher_order),
        "topup": (topups.create_topup_order, dgo.TopupOrderRequest, topups.get_topup_order),
        "esim": (esims.create_esim_order, dgo.EsimOrderRequest, esims.get_esim_order),
    }
    balance = dgo.WalletsApi(api).list_wallets()[0].balance
    orders = {}
    for family, (create, request, read) in families.items():
        created = create(request.from_dict(bodies[family]))
        order = read(created.id)
        orders[family] = {"id": order.id, "status": order.status, "charged_amount": order.charged_amount}
    events = dgo.WebhookEventsApi(api).list_webhook_events()
    print(json.dumps({"balance": balance, "orders": orders, "has_events": len(events) > 0}))
