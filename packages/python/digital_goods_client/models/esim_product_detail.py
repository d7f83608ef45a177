from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from typing import cast

if TYPE_CHECKING:
    from ..models.esim_variant import EsimVariant


T = TypeVar("T", bound="EsimProductDetail")


@_attrs_define
class EsimProductDetail:
    """An eSIM with its data plans.

    Attributes:
        id (int): The product.
        name (str): Its name.
        country_code (str): The country where it works (ISO 3166-1 alpha-3, or `GLO`).
        currency_code (str): The currency of its prices.
        image_url (str): A picture; may be empty.
        variants (list[EsimVariant]): Its data plans.
    """

    id: int
    name: str
    country_code: str
    currency_code: str
    image_url: str
    variants: list[EsimVariant]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.esim_variant import EsimVariant  # noqa: PLC0415

        id = self.id

        name = self.name

        country_code = self.country_code

        currency_code = self.currency_code

        image_url = self.image_url

        variants = []
        for variants_item_data in self.variants:
            variants_item = variants_item_data.to_dict()
            variants.append(variants_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "country_code": country_code,
                "currency_code": currency_code,
                "image_url": image_url,
                "variants": variants,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.esim_variant import EsimVariant  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        country_code = d.pop("country_code")

        currency_code = d.pop("currency_code")

        image_url = d.pop("image_url")

        variants = []
        _variants = d.pop("variants")
        for variants_item_data in _variants:
            variants_item = EsimVariant.from_dict(variants_item_data)

            variants.append(variants_item)

        esim_product_detail = cls(
            id=id,
            name=name,
            country_code=country_code,
            currency_code=currency_code,
            image_url=image_url,
            variants=variants,
        )

        esim_product_detail.additional_properties = d
        return esim_product_detail

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
