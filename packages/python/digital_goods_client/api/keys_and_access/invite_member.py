from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

import httpx

from ...client import AuthenticatedClient, Client
from ...types import Response, UNSET
from ... import errors

from ...models.error import Error
from ...models.member import Member
from ...models.member_request import MemberRequest
from typing import cast


def _get_kwargs(
    *,
    body: MemberRequest,
) -> dict[str, Any]:
    headers: dict[str, Any] = {}

    _kwargs: dict[str, Any] = {
        "method": "post",
        "url": "/api/v1/members",
    }

    _kwargs["json"] = body.to_dict()

    headers["Content-Type"] = "application/json"

    _kwargs["headers"] = headers
    return _kwargs


def _parse_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Error | Member | None:
    if response.status_code == 201:
        response_201 = Member.from_dict(response.json())

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


def _build_response(*, client: AuthenticatedClient | Client, response: httpx.Response) -> Response[Error | Member]:
    return Response(
        status_code=HTTPStatus(response.status_code),
        content=response.content,
        headers=response.headers,
        parsed=_parse_response(client=client, response=response),
    )


def sync_detailed(
    *,
    client: AuthenticatedClient,
    body: MemberRequest,
) -> Response[Error | Member]:
    """Invite a member

     Mails an invitation, which is valid for 7 days. Repeated for an invited member, it renews the
    invitation. A caller cannot invite a member with a role that has a scope that the caller lacks. From
    the sign-in of the first member on, API keys no longer sign in to the console. Needs the scope
    `admin`.

    Args:
        body (MemberRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | Member]
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
    body: MemberRequest,
) -> Error | Member | None:
    """Invite a member

     Mails an invitation, which is valid for 7 days. Repeated for an invited member, it renews the
    invitation. A caller cannot invite a member with a role that has a scope that the caller lacks. From
    the sign-in of the first member on, API keys no longer sign in to the console. Needs the scope
    `admin`.

    Args:
        body (MemberRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | Member
    """

    return sync_detailed(
        client=client,
        body=body,
    ).parsed


async def asyncio_detailed(
    *,
    client: AuthenticatedClient,
    body: MemberRequest,
) -> Response[Error | Member]:
    """Invite a member

     Mails an invitation, which is valid for 7 days. Repeated for an invited member, it renews the
    invitation. A caller cannot invite a member with a role that has a scope that the caller lacks. From
    the sign-in of the first member on, API keys no longer sign in to the console. Needs the scope
    `admin`.

    Args:
        body (MemberRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Response[Error | Member]
    """

    kwargs = _get_kwargs(
        body=body,
    )

    response = await client.get_async_httpx_client().request(**kwargs)

    return _build_response(client=client, response=response)


async def asyncio(
    *,
    client: AuthenticatedClient,
    body: MemberRequest,
) -> Error | Member | None:
    """Invite a member

     Mails an invitation, which is valid for 7 days. Repeated for an invited member, it renews the
    invitation. A caller cannot invite a member with a role that has a scope that the caller lacks. From
    the sign-in of the first member on, API keys no longer sign in to the console. Needs the scope
    `admin`.

    Args:
        body (MemberRequest):

    Raises:
        errors.UnexpectedStatus: If the server returns an undocumented status code and Client.raise_on_unexpected_status is True.
        httpx.TimeoutException: If the request takes longer than Client.timeout.

    Returns:
        Error | Member
    """

    return (
        await asyncio_detailed(
            client=client,
            body=body,
        )
    ).parsed
