"""Reads a list again with its `ETag`, then without one, with the package `digital_goods_client`. Prints what it got as JSON."""

import json
import os

from digital_goods_client import AuthenticatedClient, Client, models
from digital_goods_client.api.authentication import login
from digital_goods_client.api.reference_data import list_countries

url = os.environ["API_URL"]
credentials = models.LoginRequest(username=os.environ["API_KEY"], password=os.environ["API_SECRET"])
session = login.sync(client=Client(base_url=url), body=credentials)
client = AuthenticatedClient(
    base_url=url, token=session.data.access_token, timeout=75, raise_on_unexpected_status=True
)

first = list_countries.sync_detailed(client=client)
unchanged = list_countries.sync_detailed(client=client, if_none_match=first.headers["ETag"])
later = list_countries.sync(client=client)
print(json.dumps({"status": unchanged.status_code, "parsed": unchanged.parsed, "is_whole": later == first.parsed}))
