from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset


T = TypeVar("T", bound="VoucherProductAvailableDenominationsItem")


@_attrs_define
class VoucherProductAvailableDenominationsItem:
    """
    Attributes:
        min_value (float): The smallest face value.
        max_value (float): The largest face value. Equal to the smallest if it is fixed.
        discount (float): Your discount in percent of the face value.
    """

    min_value: float
    max_value: float
    discount: float
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        min_value = self.min_value

        max_value = self.max_value

        discount = self.discount

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "min_value": min_value,
                "max_value": max_value,
                "discount": discount,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        min_value = d.pop("min_value")

        max_value = d.pop("max_value")

        discount = d.pop("discount")

        voucher_product_available_denominations_item = cls(
            min_value=min_value,
            max_value=max_value,
            discount=discount,
        )

        voucher_product_available_denominations_item.additional_properties = d
        return voucher_product_available_denominations_item

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
