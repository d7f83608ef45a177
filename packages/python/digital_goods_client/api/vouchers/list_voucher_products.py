from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...types import Response, UNSET
from ... import errors

from ...models.error import Error
from ...models.list_voucher_products_sort_by import ListVoucherProductsSortBy
from ...models.list_voucher_products_sort_dir import ListVoucherProductsSortDir
from ...models.voucher_product import VoucherProduct
from ...types import UNSET, Unset
from typing import cast


def _get_kwargs(
    *,
    page: int | Unset = 1,
    limit: int | Unset = UNSET,
    category: str | Unset = UNSET,
    country_id: int | Unset = UNSET,
    currency_id: int | Unset = UNSET,
    search: str | Unset = UNSET,
    sort_by: ListVoucherProductsSortBy | Unset = ListVoucherProductsSortBy.NAME,
    sort_dir: ListVoucherProductsSortDir | Unset = ListVoucherProductsSortDir.ASC,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["page"] = page

    params["limit"] = limit

    params["category"] = category

    params["country_id"] = country_id

    params["currency_id"] = currency_id

    params["search"] = search

    json_sort_by: str | Unset = UNSET
    if not isinstance(sort_by, Unset):
        json_sort_by = sort_by.value

    params["sort_by"] = json_sort_by

    json_sort_dir: str | Unset = UNSET
    if not isinstance(sort_dir, Unset):
        json_sort_dir = sort_dir.value

    params["sort_dir"] = json_sort_dir

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/products",
        "params": params,
    }

    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Any | Error | list[VoucherProduct] | None:
    if response.status_code == 200:
        response_200 = []
        _response_200 = response.json()
        for response_200_item_data in _response_200:
            response_200_item = VoucherProduct.from_dict(response_200_item_data)

            response_200.append(response_200_item)

        return response_200

    if response.status_code == 304:
        response_304 = cast(Any, None)
        return response_304

    if response.status_code == 400:
        response_400 = Error.from_dict(response.json())

        return response_400

    if response.status_code == 401:
        response_401 = Error.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = Error.from_dict(response.json())

        return response_403

    if response.status_code == 429:
        response_429 = Error.from_dict(response.json())

        return response_429

    if response.status_code == 500:
        response_500 = Error.from_dict(response.json())

        return response_500

    if response.status_code == 503:
        response_503 = Error.from_dict(response.json())

        return response_503

    if client.raise_on_unexpected_status:
        raise errors.UnexpectedStatus(response.status_code, response.content)
    else:
        return None


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[Any | Error | list[VoucherProduct]]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    page: int | Unset = 1,
    limit: int | Unset = UNSET,
    category: str | Unset = UNSET,
    country_id: int | Unset = UNSET,
    currency_id: int | Unset = UNSET,
    search: str | Unset = UNSET,
    sort_by: ListVoucherProductsSortBy | Unset = ListVoucherProductsSortBy.NAME,
    sort_dir: ListVoucherProductsSortDir | Unset = ListVoucherProductsSortDir.ASC,
) -> Response[Any | Error | list[VoucherProduct]]:
    """List gift cards

     Lists the active products in stock that are visible to you, with your best discount. Needs the scope
    `read`.

    Args:
        page (int | Unset):  Default: 1.
        limit (int | Unset):
        category (str | Unset):
        country_id (int | Unset):
        currency_id (int | Unset):
        search (str | Unset):
        sort_by (ListVoucherProductsSortBy | Unset):  Default: ListVoucherProductsSortBy.NAME.
        sort_dir (ListVoucherProductsSortDir | Unset):  Default: ListVoucherProductsSortDir.ASC.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Error | list[VoucherProduct]]
    """

    kwargs = _get_kwargs(
        page=page,
        limit=limit,
        category=category,
        country_id=country_id,
        currency_id=currency_id,
        search=search,
        sort_by=sort_by,
        sort_dir=sort_dir,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    page: int | Unset = 1,
    limit: int | Unset = UNSET,
    category: str | Unset = UNSET,
    country_id: int | Unset = UNSET,
    currency_id: int | Unset = UNSET,
    search: str | Unset = UNSET,
    sort_by: ListVoucherProductsSortBy | Unset = ListVoucherProductsSortBy.NAME,
    sort_dir: ListVoucherProductsSortDir | Unset = ListVoucherProductsSortDir.ASC,
) -> Any | Error | list[VoucherProduct] | None:
    """List gift cards

     Lists the active products in stock that are visible to you, with your best discount. Needs the scope
    `read`.

    Args:
        page (int | Unset):  Default: 1.
        limit (int | Unset):
        category (str | Unset):
        country_id (int | Unset):
        currency_id (int | Unset):
        search (str | Unset):
        sort_by (ListVoucherProductsSortBy | Unset):  Default: ListVoucherProductsSortBy.NAME.
        sort_dir (ListVoucherProductsSortDir | Unset):  Default: ListVoucherProductsSortDir.ASC.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Error | list[VoucherProduct]
    """

    return sync_detailed(
        client=client,
        page=page,
        limit=limit,
        category=category,
        country_id=country_id,
        currency_id=currency_id,
        search=search,
        sort_by=sort_by,
        sort_dir=sort_dir,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    page: int | Unset = 1,
    limit: int | Unset = UNSET,
    category: str | Unset = UNSET,
    country_id: int | Unset = UNSET,
    currency_id: int | Unset = UNSET,
    search: str | Unset = UNSET,
    sort_by: ListVoucherProductsSortBy | Unset = ListVoucherProductsSortBy.NAME,
    sort_dir: ListVoucherProductsSortDir | Unset = ListVoucherProductsSortDir.ASC,
) -> Response[Any | Error | list[VoucherProduct]]:
    """List gift cards

     Lists the active products in stock that are visible to you, with your best discount. Needs the scope
    `read`.

    Args:
        page (int | Unset):  Default: 1.
        limit (int | Unset):
        category (str | Unset):
        country_id (int | Unset):
        currency_id (int | Unset):
        search (str | Unset):
        sort_by (ListVoucherProductsSortBy | Unset):  Default: ListVoucherProductsSortBy.NAME.
        sort_dir (ListVoucherProductsSortDir | Unset):  Default: ListVoucherProductsSortDir.ASC.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Any | Error | list[VoucherProduct]]
    """

    kwargs = _get_kwargs(
        page=page,
        limit=limit,
        category=category,
        country_id=country_id,
        currency_id=currency_id,
        search=search,
        sort_by=sort_by,
        sort_dir=sort_dir,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    page: int | Unset = 1,
    limit: int | Unset = UNSET,
    category: str | Unset = UNSET,
    country_id: int | Unset = UNSET,
    currency_id: int | Unset = UNSET,
    search: str | Unset = UNSET,
    sort_by: ListVoucherProductsSortBy | Unset = ListVoucherProductsSortBy.NAME,
    sort_dir: ListVoucherProductsSortDir | Unset = ListVoucherProductsSortDir.ASC,
) -> Any | Error | list[VoucherProduct] | None:
    """List gift cards

     Lists the active products in stock that are visible to you, with your best discount. Needs the scope
    `read`.

    Args:
        page (int | Unset):  Default: 1.
        limit (int | Unset):
        category (str | Unset):
        country_id (int | Unset):
        currency_id (int | Unset):
        search (str | Unset):
        sort_by (ListVoucherProductsSortBy | Unset):  Default: ListVoucherProductsSortBy.NAME.
        sort_dir (ListVoucherProductsSortDir | Unset):  Default: ListVoucherProductsSortDir.ASC.

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Any | Error | list[VoucherProduct]
    """

    return (
        await asyncio_detailed(
            client=client,
            page=page,
            limit=limit,
            category=category,
            country_id=country_id,
            currency_id=currency_id,
            search=search,
            sort_by=sort_by,
            sort_dir=sort_dir,
        )
    ).parsed
