from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.topup_product_detail_topup_type import TopupProductDetailTopupType
from typing import cast

if TYPE_CHECKING:
    from ..models.input_field import InputField


T = TypeVar("T", bound="TopupProductDetail")


@_attrs_define
class TopupProductDetail:
    """A top-up with its input fields.

    Attributes:
        id (int): The product.
        name (str): Its name.
        topup_type (TopupProductDetailTopupType): In-game currency, prepaid airtime and data, or bills and other
            utilities.
        country_code (str): The country where it is sold (ISO 3166-1 alpha-3, or `GLO`).
        currency_code (str): The currency of its amounts.
        image_url (str): A picture; may be empty.
        input_fields (list[InputField]): The fields of `input_data` in an order.
    """

    id: int
    name: str
    topup_type: TopupProductDetailTopupType
    country_code: str
    currency_code: str
    image_url: str
    input_fields: list[InputField]
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.input_field import InputField  # noqa: PLC0415

        id = self.id

        name = self.name

        topup_type = self.topup_type.value

        country_code = self.country_code

        currency_code = self.currency_code

        image_url = self.image_url

        input_fields = []
        for input_fields_item_data in self.input_fields:
            input_fields_item = input_fields_item_data.to_dict()
            input_fields.append(input_fields_item)

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
                "input_fields": input_fields,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.input_field import InputField  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        topup_type = TopupProductDetailTopupType(d.pop("topup_type"))

        country_code = d.pop("country_code")

        currency_code = d.pop("currency_code")

        image_url = d.pop("image_url")

        input_fields = []
        _input_fields = d.pop("input_fields")
        for input_fields_item_data in _input_fields:
            input_fields_item = InputField.from_dict(input_fields_item_data)

            input_fields.append(input_fields_item)

        topup_product_detail = cls(
            id=id,
            name=name,
            topup_type=topup_type,
            country_code=country_code,
            currency_code=currency_code,
            image_url=image_url,
            input_fields=input_fields,
        )

        topup_product_detail.additional_properties = d
        return topup_product_detail

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
