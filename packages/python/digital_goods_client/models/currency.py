from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset


T = TypeVar("T", bound="Currency")


@_attrs_define
class Currency:
    """A currency.

    Attributes:
        id (int): The currency.
        name (str): Its name.
        code (str): ISO 4217.
        numeric_code (str): ISO 4217 numeric, as text.
        symbol (str): Its sign.
        minor_unit (int): Digits after the point of an amount.
    """

    id: int
    name: str
    code: str
    numeric_code: str
    symbol: str
    minor_unit: int
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name = self.name

        code = self.code

        numeric_code = self.numeric_code

        symbol = self.symbol

        minor_unit = self.minor_unit

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "code": code,
                "numeric_code": numeric_code,
                "symbol": symbol,
                "minor_unit": minor_unit,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        code = d.pop("code")

        numeric_code = d.pop("numeric_code")

        symbol = d.pop("symbol")

        minor_unit = d.pop("minor_unit")

        currency = cls(
            id=id,
            name=name,
            code=code,
            numeric_code=numeric_code,
            symbol=symbol,
            minor_unit=minor_unit,
        )

        currency.additional_properties = d
        return currency

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
