from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from typing import cast
import datetime


T = TypeVar("T", bound="TokenPair")


@_attrs_define
class TokenPair:
    """The tokens of a session.

    Attributes:
        access_token (str): The bearer token of every other call. Valid for an hour (JWT).
        refresh_token (str): Exchange it for the next pair, once. Valid for 7 days (JWT).
        access_expires_at (datetime.datetime): When the access token expires.
        refresh_expires_at (datetime.datetime): When the refresh token expires.
        client_id (int): Your id.
    """

    access_token: str
    refresh_token: str
    access_expires_at: datetime.datetime
    refresh_expires_at: datetime.datetime
    client_id: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        access_token = self.access_token

        refresh_token = self.refresh_token

        access_expires_at = self.access_expires_at.isoformat()

        refresh_expires_at = self.refresh_expires_at.isoformat()

        client_id = self.client_id

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "access_token": access_token,
                "refresh_token": refresh_token,
                "access_expires_at": access_expires_at,
                "refresh_expires_at": refresh_expires_at,
                "client_id": client_id,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        access_token = d.pop("access_token")

        refresh_token = d.pop("refresh_token")

        access_expires_at = datetime.datetime.fromisoformat(d.pop("access_expires_at"))

        refresh_expires_at = datetime.datetime.fromisoformat(d.pop("refresh_expires_at"))

        client_id = d.pop("client_id")

        token_pair = cls(
            access_token=access_token,
            refresh_token=refresh_token,
            access_expires_at=access_expires_at,
            refresh_expires_at=refresh_expires_at,
            client_id=client_id,
        )

        token_pair.additional_properties = d
        return token_pair

    @property
    def additional_keys(self) -> list[str]:
        return list(self.additional_properties.keys())

    def __getitem__(self, key: str) -> Any:
        return self.additional_properties[key]

    def __setitem__(self, key: str, value: Any) -> None:
        self.additional_properties[key] = value

    def __delitem__(self, key: str) -> None:
        del self.additional_properties[key]

    def __contains__(self, key: str) -> bool:
        return key in self.additional_properties
