from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset


T = TypeVar("T", bound="Country")


@_attrs_define
class Country:
    """An active country.

    Attributes:
        id (int): The country.
        name (str): Its usual name.
        official_name (str): Its official name.
        alpha_2 (str): ISO 3166-1 alpha-2.
        alpha_3 (str): ISO 3166-1 alpha-3.
        numeric_code (str): ISO 3166-1 numeric, as text.
        dialing_prefix (str): The country code of its telephone numbers, with a leading plus sign.
    """

    id: int
    name: str
    official_name: str
    alpha_2: str
    alpha_3: str
    numeric_code: str
    dialing_prefix: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name = self.name

        official_name = self.official_name

        alpha_2 = self.alpha_2

        alpha_3 = self.alpha_3

        numeric_code = self.numeric_code

        dialing_prefix = self.dialing_prefix

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "official_name": official_name,
                "alpha_2": alpha_2,
                "alpha_3": alpha_3,
                "numeric_code": numeric_code,
                "dialing_prefix": dialing_prefix,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        official_name = d.pop("official_name")

        alpha_2 = d.pop("alpha_2")

        alpha_3 = d.pop("alpha_3")

        numeric_code = d.pop("numeric_code")

        dialing_prefix = d.pop("dialing_prefix")

        country = cls(
            id=id,
            name=name,
            official_name=official_name,
            alpha_2=alpha_2,
            alpha_3=alpha_3,
            numeric_code=numeric_code,
            dialing_prefix=dialing_prefix,
        )

        country.additional_properties = d
        return country

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
