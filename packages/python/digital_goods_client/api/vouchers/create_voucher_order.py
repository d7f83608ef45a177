from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...types import Response, UNSET
from ... import errors

from ...models.create_voucher_order_sandbox_fault import CreateVoucherOrderSandboxFault
from ...models.created_voucher_order import CreatedVoucherOrder
from ...models.error import Error
from ...models.voucher_order_request import VoucherOrderRequest
from ...types import UNSET, Unset
from typing import cast


def _get_kwargs(
    *,
    body: VoucherOrderRequest,
    idempotency_key: str | Unset = UNSET,
    sandbox_fault: CreateVoucherOrderSandboxFault | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}
    if not isinstance(idempotency_key, Unset):
        headers["Idempotency-Key"] = idempotency_key

    if not isinstance(sandbox_fault, Unset):
        headers["Sandbox-Fault"] = str(sandbox_fault)

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/orders",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> CreatedVoucherOrder | Error | None:
    if response.status_code == 200:
        response_200 = CreatedVoucherOrder.from_dict(response.json())

        return response_200

    if response.status_code == 400:
        response_400 = Error.from_dict(response.json())

        return response_400

    if response.status_code == 401:
        response_401 = Error.from_dict(response.json())

        return response_401

    if response.status_code == 403:
        response_403 = Error.from_dict(response.json())

        return response_403

    if response.status_code == 404:
        response_404 = Error.from_dict(response.json())

        return response_404

    if response.status_code == 409:
        response_409 = Error.from_dict(response.json())

        return response_409

    if response.status_code == 413:
        response_413 = Error.from_dict(response.json())

        return response_413

    if response.status_code == 422:
        response_422 = Error.from_dict(response.json())

        return response_422

    if response.status_code == 429:
        response_429 = Error.from_dict(response.json())

        return response_429

    if response.status_code == 503:
        response_503 = Error.from_dict(response.json())

        return response_503

    if response.status_code == 504:
        response_504 = Error.from_dict(response.json())

        return response_504

    if client.raise_on_unexpected_status:
        raise errors.UnexpectedStatus(response.status_code, response.content)
    else:
        return None


def _build_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Response[CreatedVoucherOrder | Error]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: VoucherOrderRequest,
    idempotency_key: str | Unset = UNSET,
    sandbox_fault: CreateVoucherOrderSandboxFault | Unset = UNSET,
) -> Response[CreatedVoucherOrder | Error]:
    """Place a voucher order

     Debits the wallet and places the order in one step. Returns within 10 seconds. An order that takes
    longer is PENDING and continues in the background. So does every order of more than 5 vouchers or of
    a product with `Delayed` delivery. Needs the scope `orders:vouchers`.

    Args:
        idempotency_key (str | Unset):
        sandbox_fault (CreateVoucherOrderSandboxFault | Unset):
        body (VoucherOrderRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[CreatedVoucherOrder | Error]
    """

    kwargs = _get_kwargs(
        body=body,
        idempotency_key=idempotency_key,
        sandbox_fault=sandbox_fault,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    body: VoucherOrderRequest,
    idempotency_key: str | Unset = UNSET,
    sandbox_fault: CreateVoucherOrderSandboxFault | Unset = UNSET,
) -> CreatedVoucherOrder | Error | None:
    """Place a voucher order

     Debits the wallet and places the order in one step. Returns within 10 seconds. An order that takes
    longer is PENDING and continues in the background. So does every order of more than 5 vouchers or of
    a product with `Delayed` delivery. Needs the scope `orders:vouchers`.

    Args:
        idempotency_key (str | Unset):
        sandbox_fault (CreateVoucherOrderSandboxFault | Unset):
        body (VoucherOrderRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        CreatedVoucherOrder | Error
    """

    return sync_detailed(
        client=client,
        body=body,
        idempotency_key=idempotency_key,
        sandbox_fault=sandbox_fault,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: VoucherOrderRequest,
    idempotency_key: str | Unset = UNSET,
    sandbox_fault: CreateVoucherOrderSandboxFault | Unset = UNSET,
) -> Response[CreatedVoucherOrder | Error]:
    """Place a voucher order

     Debits the wallet and places the order in one step. Returns within 10 seconds. An order that takes
    longer is PENDING and continues in the background. So does every order of more than 5 vouchers or of
    a product with `Delayed` delivery. Needs the scope `orders:vouchers`.

    Args:
        idempotency_key (str | Unset):
        sandbox_fault (CreateVoucherOrderSandboxFault | Unset):
        body (VoucherOrderRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[CreatedVoucherOrder | Error]
    """

    kwargs = _get_kwargs(
        body=body,
        idempotency_key=idempotency_key,
        sandbox_fault=sandbox_fault,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    body: VoucherOrderRequest,
    idempotency_key: str | Unset = UNSET,
    sandbox_fault: CreateVoucherOrderSandboxFault | Unset = UNSET,
) -> CreatedVoucherOrder | Error | None:
    """Place a voucher order

     Debits the wallet and places the order in one step. Returns within 10 seconds. An order that takes
    longer is PENDING and continues in the background. So does every order of more than 5 vouchers or of
    a product with `Delayed` delivery. Needs the scope `orders:vouchers`.

    Args:
        idempotency_key (str | Unset):
        sandbox_fault (CreateVoucherOrderSandboxFault | Unset):
        body (VoucherOrderRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        CreatedVoucherOrder | Error
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
            idempotency_key=idempotency_key,
            sandbox_fault=sandbox_fault,
        )
    ).parsed
