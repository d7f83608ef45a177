from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...types import Response, UNSET
from ... import errors

from ...models.api_key_roll import ApiKeyRoll
from ...models.created_api_key import CreatedApiKey
from ...models.error import Error
from ...types import UNSET, Unset
from typing import cast


def _get_kwargs(
    id: int,
    *,
    body: ApiKeyRoll | Unset = UNSET,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/api-keys/{id}/roll".format(
            id=quote(str(id), safe=""),
        ),
    }

    if not isinstance(body, Unset):
        _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> CreatedApiKey | Error | None:
    if response.status_code == 201:
        response_201 = CreatedApiKey.from_dict(response.json())

        return response_201

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
) -> Response[CreatedApiKey | Error]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    id: int,
    *,
    client: AuthenticatedClient,
    body: ApiKeyRoll | Unset = UNSET,
) -> Response[CreatedApiKey | Error]:
    """Replace an API key

     Returns a new key with its secret, which is shown only now. It has the label and the scopes of the
    old key, and is valid for as long as the old one was. The old key expires after the overlap. A key
    can be rolled once. It cannot roll a key that has a scope that it lacks, nor itself without an
    overlap. Needs the scope `admin`.

    Args:
        id (int):
        body (ApiKeyRoll | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[CreatedApiKey | Error]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
    )

    response = client.get_httpx_client().request(
        **kwargs,
    )

    return _build_response(client=client, response=response)


def sync(
    id: int,
    *,
    client: AuthenticatedClient,
    body: ApiKeyRoll | Unset = UNSET,
) -> CreatedApiKey | Error | None:
    """Replace an API key

     Returns a new key with its secret, which is shown only now. It has the label and the scopes of the
    old key, and is valid for as long as the old one was. The old key expires after the overlap. A key
    can be rolled once. It cannot roll a key that has a scope that it lacks, nor itself without an
    overlap. Needs the scope `admin`.

    Args:
        id (int):
        body (ApiKeyRoll | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        CreatedApiKey | Error
    """

    return sync_detailed(
        id=id,
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    id: int,
    *,
    client: AuthenticatedClient,
    body: ApiKeyRoll | Unset = UNSET,
) -> Response[CreatedApiKey | Error]:
    """Replace an API key

     Returns a new key with its secret, which is shown only now. It has the label and the scopes of the
    old key, and is valid for as long as the old one was. The old key expires after the overlap. A key
    can be rolled once. It cannot roll a key that has a scope that it lacks, nor itself without an
    overlap. Needs the scope `admin`.

    Args:
        id (int):
        body (ApiKeyRoll | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[CreatedApiKey | Error]
    """

    kwargs = _get_kwargs(
        id=id,
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    id: int,
    *,
    client: AuthenticatedClient,
    body: ApiKeyRoll | Unset = UNSET,
) -> CreatedApiKey | Error | None:
    """Replace an API key

     Returns a new key with its secret, which is shown only now. It has the label and the scopes of the
    old key, and is valid for as long as the old one was. The old key expires after the overlap. A key
    can be rolled once. It cannot roll a key that has a scope that it lacks, nor itself without an
    overlap. Needs the scope `admin`.

    Args:
        id (int):
        body (ApiKeyRoll | Unset):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        CreatedApiKey | Error
    """

    return (
        await asyncio_detailed(
            id=id,
            client=client,
            body=body,
        )
    ).parsed
