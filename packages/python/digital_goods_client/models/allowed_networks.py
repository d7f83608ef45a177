from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from typing import cast


T = TypeVar("T", bound="AllowedNetworks")


@_attrs_define
class AllowedNetworks:
    """The networks from which you may order.

    Attributes:
        networks (list[str]): Empty allows every address.
        your_address (None | str): The address of this call.
        your_address_is_allowed (bool): Whether you may order from it.
    """

    networks: list[str]
    your_address: None | str
    your_address_is_allowed: bool
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        networks = self.networks

        your_address: None | str
        your_address = self.your_address

        your_address_is_allowed = self.your_address_is_allowed

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "networks": networks,
                "your_address": your_address,
                "your_address_is_allowed": your_address_is_allowed,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        networks = cast(list[str], d.pop("networks"))

        def _parse_your_address(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        your_address = _parse_your_address(d.pop("your_address"))

        your_address_is_allowed = d.pop("your_address_is_allowed")

        allowed_networks = cls(
            networks=networks,
            your_address=your_address,
            your_address_is_allowed=your_address_is_allowed,
        )

        allowed_networks.additional_properties = d
        return allowed_networks

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
