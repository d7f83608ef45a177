from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from typing import cast


T = TypeVar("T", bound="MobileLookup")


@_attrs_define
class MobileLookup:
    """The products that recharge a mobile number.

    Attributes:
        number (str): The number (E.164).
        country_code (str): Its country (ISO 3166-1 alpha-3).
        operator_name (None | str): Its operator; null if unknown.
        products (list[int]): Products that recharge it.
    """

    number: str
    country_code: str
    operator_name: None | str
    products: list[int]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        number = self.number

        country_code = self.country_code

        operator_name: None | str
        operator_name = self.operator_name

        products = self.products

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "number": number,
                "country_code": country_code,
                "operator_name": operator_name,
                "products": products,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        number = d.pop("number")

        country_code = d.pop("country_code")

        def _parse_operator_name(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        operator_name = _parse_operator_name(d.pop("operator_name"))

        products = cast(list[int], d.pop("products"))

        mobile_lookup = cls(
            number=number,
            country_code=country_code,
            operator_name=operator_name,
            products=products,
        )

        mobile_lookup.additional_properties = d
        return mobile_lookup

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
