from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.topup_product_topup_type import TopupProductTopupType


T = TypeVar("T", bound="TopupProduct")


@_attrs_define
class TopupProduct:
    """A top-up.

    Attributes:
        id (int): The product.
        name (str): Its name.
        topup_type (TopupProductTopupType): In-game currency, prepaid airtime and data, or bills and other utilities.
        country_code (str): The country where it is sold (ISO 3166-1 alpha-3, or `GLO`).
        currency_code (str): The currency of its amounts.
        image_url (str): A picture; may be empty.
    """

    id: int
    name: str
    topup_type: TopupProductTopupType
    country_code: str
    currency_code: str
    image_url: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        name = self.name

        topup_type = self.topup_type.value

        country_code = self.country_code

        currency_code = self.currency_code

        image_url = self.image_url

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "topup_type": topup_type,
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

        topup_type = TopupProductTopupType(d.pop("topup_type"))

        country_code = d.pop("country_code")

        currency_code = d.pop("currency_code")

        image_url = d.pop("image_url")

        topup_product = cls(
            id=id,
            name=name,
            topup_type=topup_type,
            country_code=country_code,
            currency_code=currency_code,
            image_url=image_url,
        )

        topup_product.additional_properties = d
        return topup_product

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
