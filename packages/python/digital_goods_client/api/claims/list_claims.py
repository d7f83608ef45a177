from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...types import Response, UNSET
from ... import errors

from ...models.claim import Claim
from ...models.error import Error
from ...models.list_claims_state import ListClaimsState
from ...types import UNSET, Unset
from typing import cast


def _get_kwargs(
    *,
    page: int | Unset = 1,
    per_page: int | Unset = UNSET,
    state: ListClaimsState | Unset = UNSET,
    order_id: int | Unset = UNSET,
) -> dict[str, Any]:

    params: dict[str, Any] = {}

    params["page"] = page

    params["per_page"] = per_page

    json_state: str | Unset = UNSET
    if not isinstance(state, Unset):
        json_state = state.value

    params["state"] = json_state

    params["order_id"] = order_id

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    _kwargs: dict[str, Any] = {
        "method": "get",
        "url": "/api/v1/claims",
        "params": params,
    }

    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Error | list[Claim] | None:
    if response.status_code == 200:
        response_200 = []
        _response_200 = response.json()
        for response_200_item_data in _response_200:
            response_200_item = Claim.from_dict(response_200_item_data)

            response_200.append(response_200_item)

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


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Error | list[Claim]]:
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
    per_page: int | Unset = UNSET,
    state: ListClaimsState | Unset = UNSET,
    order_id: int | Unset = UNSET,
) -> Response[Error | list[Claim]]:
    """List your claims

     Needs the scope `read`.

    Args:
        page (int | Unset):  Default: 1.
        per_page (int | Unset):
        state (ListClaimsState | Unset):
        order_id (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | list[Claim]]
    """

    kwargs = _get_kwargs(
        page=page,
        per_page=per_page,
        state=state,
        order_id=order_id,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    *,
    client: AuthenticatedClient,
    page: int | Unset = 1,
    per_page: int | Unset = UNSET,
    state: ListClaimsState | Unset = UNSET,
    order_id: int | Unset = UNSET,
) -> Error | list[Claim] | None:
    """List your claims

     Needs the scope `read`.

    Args:
        page (int | Unset):  Default: 1.
        per_page (int | Unset):
        state (ListClaimsState | Unset):
        order_id (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | list[Claim]
    """

    return sync_detailed(
        client=client,
        page=page,
        per_page=per_page,
        state=state,
        order_id=order_id,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    page: int | Unset = 1,
    per_page: int | Unset = UNSET,
    state: ListClaimsState | Unset = UNSET,
    order_id: int | Unset = UNSET,
) -> Response[Error | list[Claim]]:
    """List your claims

     Needs the scope `read`.

    Args:
        page (int | Unset):  Default: 1.
        per_page (int | Unset):
        state (ListClaimsState | Unset):
        order_id (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | list[Claim]]
    """

    kwargs = _get_kwargs(
        page=page,
        per_page=per_page,
        state=state,
        order_id=order_id,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    page: int | Unset = 1,
    per_page: int | Unset = UNSET,
    state: ListClaimsState | Unset = UNSET,
    order_id: int | Unset = UNSET,
) -> Error | list[Claim] | None:
    """List your claims

     Needs the scope `read`.

    Args:
        page (int | Unset):  Default: 1.
        per_page (int | Unset):
        state (ListClaimsState | Unset):
        order_id (int | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | list[Claim]
    """

    return (
        await asyncio_detailed(
            client=client,
            page=page,
            per_page=per_page,
            state=state,
            order_id=order_id,
        )
    ).parsed
