from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset


T = TypeVar("T", bound="EsimProduct")


@_attrs_define
class EsimProduct:
    """An eSIM.

    Attributes:
        id (int): The product.
        name (str): Its name.
        country_code (str): The country where it works (ISO 3166-1 alpha-3, or `GLO`).
        currency_code (str): The currency of its prices.
        image_url (str): A picture; may be empty.
    """

    id: int
    name: str
    country_code: str
    currency_code: str
    image_url: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name = self.name

        country_code = self.country_code

        currency_code = self.currency_code

        image_url = self.image_url

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "country_code": country_code,
                "currency_code": currency_code,
                "image_url": image_url,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        country_code = d.pop("country_code")

        currency_code = d.pop("currency_code")

        image_url = d.pop("image_url")

        esim_product = cls(
            id=id,
            name=name,
            country_code=country_code,
            currency_code=currency_code,
            image_url=image_url,
        )

        esim_product.additional_properties = d
        return esim_product

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
