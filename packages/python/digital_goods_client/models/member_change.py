from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.member_change_state import MemberChangeState
from ..models.member_role import MemberRole
from ..types import UNSET, Unset


T = TypeVar("T", bound="MemberChange")


@_attrs_define
class MemberChange:
    """
    Attributes:
        name (str | Unset): The name of the member.
        role (MemberRole | Unset): What a member may do in the console. `admin`: everything, and keys, allowed networks,
            members, webhooks and the activity; `finance`: reads without codes and recipients, and works with wallets,
            statements and reports; `support`: places orders, and sees recipients and codes; `viewer`: reads without codes
            and recipients.
        state (MemberChangeState | Unset): `SUSPENDED` ends the access of the member at once.
    """

    name: str | Unset = UNSET
    role: MemberRole | Unset = UNSET
    state: MemberChangeState | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        name = self.name

        role: str | Unset = UNSET
        if not isinstance(self.role, Unset):
            role = self.role.value

        state: str | Unset = UNSET
        if not isinstance(self.state, Unset):
            state = self.state.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update({})
        if name is not UNSET:
            field_dict["name"] = name
        if role is not UNSET:
            field_dict["role"] = role
        if state is not UNSET:
            field_dict["state"] = state

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        name = d.pop("name", UNSET)

        _role = d.pop("role", UNSET)
        role: MemberRole | Unset
        if isinstance(_role, Unset):
            role = UNSET
        else:
            role = MemberRole(_role)

        _state = d.pop("state", UNSET)
        state: MemberChangeState | Unset
        if isinstance(_state, Unset):
            state = UNSET
        else:
            state = MemberChangeState(_state)

        member_change = cls(
            name=name,
            role=role,
            state=state,
        )

        member_change.additional_properties = d
        return member_change

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
