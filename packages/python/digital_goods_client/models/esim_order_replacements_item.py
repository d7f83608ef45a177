from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from typing import cast
import datetime


T = TypeVar("T", bound="EsimOrderReplacementsItem")


@_attrs_define
class EsimOrderReplacementsItem:
    """
    Attributes:
        unit (int | None): The unit of a voucher order, from 1; null for other families.
        order_id (int): The order that replaces it.
        replaced_at (datetime.datetime | None): When it was delivered; null until then.
    """

    unit: int | None
    order_id: int
    replaced_at: datetime.datetime | None
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        unit: int | None
        unit = self.unit

        order_id = self.order_id

        replaced_at: None | str
        if isinstance(self.replaced_at, datetime.datetime):
            replaced_at = self.replaced_at.isoformat()
        else:
            replaced_at = self.replaced_at

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "unit": unit,
                "order_id": order_id,
                "replaced_at": replaced_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_unit(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        unit = _parse_unit(d.pop("unit"))

        order_id = d.pop("order_id")

        def _parse_replaced_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                replaced_at_type_0 = datetime.datetime.fromisoformat(data)

                return replaced_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        replaced_at = _parse_replaced_at(d.pop("replaced_at"))

        esim_order_replacements_item = cls(
            unit=unit,
            order_id=order_id,
            replaced_at=replaced_at,
        )

        esim_order_replacements_item.additional_properties = d
        return esim_order_replacements_item

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
