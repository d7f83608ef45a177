from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.member_role import MemberRole
from ..models.member_state import MemberState


T = TypeVar("T", bound="Member")


@_attrs_define
class Member:
    """A person of yours who uses the console.

    Attributes:
        id (int): The member.
        email (str): The address at which the member signs in.
        name (str): The name of the member.
        role (MemberRole): What a member may do in the console. `admin`: everything, and keys, allowed networks,
            members, webhooks and the activity; `finance`: reads without codes and recipients, and works with wallets,
            statements and reports; `support`: places orders, and sees recipients and codes; `viewer`: reads without codes
            and recipients.
        state (MemberState): `INVITED`: has not signed in yet. `SUSPENDED`: cannot sign in.
    """

    id: int
    email: str
    name: str
    role: MemberRole
    state: MemberState
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        email = self.email

        name = self.name

        role = self.role.value

        state = self.state.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "email": email,
                "name": name,
                "role": role,
                "state": state,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        email = d.pop("email")

        name = d.pop("name")

        role = MemberRole(d.pop("role"))

        state = MemberState(d.pop("state"))

        member = cls(
            id=id,
            email=email,
            name=name,
            role=role,
            state=state,
        )

        member.additional_properties = d
        return member

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
