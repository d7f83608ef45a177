from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.member_role import MemberRole


T = TypeVar("T", bound="MemberRequest")


@_attrs_define
class MemberRequest:
    """
    Attributes:
        email (str): The address to which the invitation goes.
        name (str): The name of the member.
        role (MemberRole): What a member may do in the console. `admin`: everything, and keys, allowed networks,
            members, webhooks and the activity; `finance`: reads without codes and recipients, and works with wallets,
            statements and reports; `support`: places orders, and sees recipients and codes; `viewer`: reads without codes
            and recipients.
    """

    email: str
    name: str
    role: MemberRole
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        email = self.email

        name = self.name

        role = self.role.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "email": email,
                "name": name,
                "role": role,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        email = d.pop("email")

        name = d.pop("name")

        role = MemberRole(d.pop("role"))

        member_request = cls(
            email=email,
            name=name,
            role=role,
        )

        member_request.additional_properties = d
        return member_request

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
