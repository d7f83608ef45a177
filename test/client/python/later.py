"""Reads rows with values that a later release has added, with the package `digital_goods_client`. Prints the values as JSON."""

import json
import os

from digital_goods_client import AuthenticatedClient, Client, models
from digital_goods_client.api.authentication import login
from digital_goods_client.api.keys_and_access import list_api_keys
from digital_goods_client.api.price_list import list_prices
from digital_goods_client.api.top_ups import get_topup_product, list_topup_products
from digital_goods_client.api.vouchers import list_voucher_products

url = os.environ["API_URL"]
credentials = models.LoginRequest(username=os.environ["API_KEY"], password=os.environ["API_SECRET"])
session = login.sync(client=Client(base_url=url), body=credentials)
client = AuthenticatedClient(base_url=url, token=session.data.access_token, timeout=75)

[topup, *_] = list_topup_products.sync(client=client, search="liberty mobile")
detail = get_topup_product.sync(client=client, id=topup.id)
[voucher, *_] = list_voucher_products.sync(client=client)
# The enumeration of a request stays closed: a program that misspells a value fails before it sends anything.
prices = list_prices.sync(client=client, family=models.ListPricesFamily("TOPUP"))
read = {
    "family": {price.family for price in prices},
    "topup_type": {topup.topup_type, detail.topup_type},
    "field_type": {field.field_type for field in detail.input_fields},
    "delivery_mode": {voucher.delivery_mode},
    "delivery_time": {voucher.delivery_time},
    "scopes": {list_api_keys.sync(client=client)[0].scopes[-1]},
}
print(json.dumps({field: sorted(values) for field, values in read.items()}))
