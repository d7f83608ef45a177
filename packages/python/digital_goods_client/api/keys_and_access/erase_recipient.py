from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...types import Response, UNSET
from ... import errors

from ...models.error import Error
from ...models.recipient_erasure import RecipientErasure
from ...models.recipient_erasure_request import RecipientErasureRequest
from typing import cast


def _get_kwargs(
    *,
    body: RecipientErasureRequest,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/recipients/erase",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(
    *, client: AuthenticatedClient | Client, response: httpx.Response
) -> Error | RecipientErasure | None:
    if response.status_code == 200:
        response_200 = RecipientErasure.from_dict(response.json())

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

    if response.status_code == 413:
        response_413 = Error.from_dict(response.json())

        return response_413

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
) -> Response[Error | RecipientErasure]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: RecipientErasureRequest,
) -> Response[Error | RecipientErasure]:
    """Erase a recipient from your orders

     Removes the email address and the input of every order for the recipient. The orders, their goods,
    refunds and events stay. An erasure cannot be undone. It may be repeated. Needs the scope `admin`.

    Args:
        body (RecipientErasureRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | RecipientErasure]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    body: RecipientErasureRequest,
) -> Error | RecipientErasure | None:
    """Erase a recipient from your orders

     Removes the email address and the input of every order for the recipient. The orders, their goods,
    refunds and events stay. An erasure cannot be undone. It may be repeated. Needs the scope `admin`.

    Args:
        body (RecipientErasureRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | RecipientErasure
    """

    return sync_detailed(
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: RecipientErasureRequest,
) -> Response[Error | RecipientErasure]:
    """Erase a recipient from your orders

     Removes the email address and the input of every order for the recipient. The orders, their goods,
    refunds and events stay. An erasure cannot be undone. It may be repeated. Needs the scope `admin`.

    Args:
        body (RecipientErasureRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | RecipientErasure]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    body: RecipientErasureRequest,
) -> Error | RecipientErasure | None:
    """Erase a recipient from your orders

     Removes the email address and the input of every order for the recipient. The orders, their goods,
    refunds and events stay. An erasure cannot be undone. It may be repeated. Needs the scope `admin`.

    Args:
        body (RecipientErasureRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | RecipientErasure
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
        )
    ).parsed
