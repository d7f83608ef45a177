from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from typing import cast


T = TypeVar("T", bound="EsimOrderItemReplaces")


@_attrs_define
class EsimOrderItemReplaces:
    """The unit that the order replaces; omitted if it replaces none.

    Attributes:
        order_id (int): The order of the unit.
        unit (int | None): The unit of a voucher order, from 1; null for other families.
    """

    order_id: int
    unit: int | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        order_id = self.order_id

        unit: int | None
        unit = self.unit

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "order_id": order_id,
                "unit": unit,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        order_id = d.pop("order_id")

        def _parse_unit(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        unit = _parse_unit(d.pop("unit"))

        esim_order_item_replaces = cls(
            order_id=order_id,
            unit=unit,
        )

        esim_order_item_replaces.additional_properties = d
        return esim_order_item_replaces

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
