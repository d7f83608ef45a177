from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.voucher_product_detail_delivery_mode_type_1 import VoucherProductDetailDeliveryModeType1
from ..models.voucher_product_detail_delivery_mode_type_2_type_1 import VoucherProductDetailDeliveryModeType2Type1
from ..models.voucher_product_detail_delivery_mode_type_3_type_1 import VoucherProductDetailDeliveryModeType3Type1
from ..models.voucher_product_detail_delivery_time_type_1 import VoucherProductDetailDeliveryTimeType1
from ..models.voucher_product_detail_delivery_time_type_2_type_1 import VoucherProductDetailDeliveryTimeType2Type1
from ..models.voucher_product_detail_delivery_time_type_3_type_1 import VoucherProductDetailDeliveryTimeType3Type1
from typing import cast

if TYPE_CHECKING:
    from ..models.voucher_product_detail_available_denominations_item import (
        VoucherProductDetailAvailableDenominationsItem,
    )


T = TypeVar("T", bound="VoucherProductDetail")


@_attrs_define
class VoucherProductDetail:
    """A gift card with its texts.

    Attributes:
        id (int): The product.
        name (str): Its name.
        category (str): Its category.
        sub_category (None | str): Its subcategory.
        country_code (str): The country where it is sold (ISO 3166-1 alpha-3, or `GLO`).
        currency_code (str): The currency of its face values.
        image_url (None | str): A picture.
        delivery_mode (None | VoucherProductDetailDeliveryModeType1 | VoucherProductDetailDeliveryModeType2Type1 |
            VoucherProductDetailDeliveryModeType3Type1): The form of its codes.
        delivery_time (None | VoucherProductDetailDeliveryTimeType1 | VoucherProductDetailDeliveryTimeType2Type1 |
            VoucherProductDetailDeliveryTimeType3Type1): `Delayed` is always delivered in the background.
        validity (None | str): How long its vouchers are valid.
        redeemable (bool): Whether its codes pay for top-ups and eSIMs.
        available_denominations (list[VoucherProductDetailAvailableDenominationsItem]): The available face values.
        terms (None | str): Terms of its issuer.
        details (None | str): A description.
        how_to_use (None | str): How to use it.
    """

    id: int
    name: str
    category: str
    sub_category: None | str
    country_code: str
    currency_code: str
    image_url: None | str
    delivery_mode: (
        None
        | VoucherProductDetailDeliveryModeType1
        | VoucherProductDetailDeliveryModeType2Type1
        | VoucherProductDetailDeliveryModeType3Type1
    )
    delivery_time: (
        None
        | VoucherProductDetailDeliveryTimeType1
        | VoucherProductDetailDeliveryTimeType2Type1
        | VoucherProductDetailDeliveryTimeType3Type1
    )
    validity: None | str
    redeemable: bool
    available_denominations: list[VoucherProductDetailAvailableDenominationsItem]
    terms: None | str
    details: None | str
    how_to_use: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.voucher_product_detail_available_denominations_item import (
            VoucherProductDetailAvailableDenominationsItem,
        )  # noqa: PLC0415

        id = self.id

        name = self.name

        category = self.category

        sub_category: None | str
        sub_category = self.sub_category

        country_code = self.country_code

        currency_code = self.currency_code

        image_url: None | str
        image_url = self.image_url

        delivery_mode: None | str
        if isinstance(self.delivery_mode, VoucherProductDetailDeliveryModeType1):
            delivery_mode = self.delivery_mode.value
        elif isinstance(self.delivery_mode, VoucherProductDetailDeliveryModeType2Type1):
            delivery_mode = self.delivery_mode.value
        elif isinstance(self.delivery_mode, VoucherProductDetailDeliveryModeType3Type1):
            delivery_mode = self.delivery_mode.value
        else:
            delivery_mode = self.delivery_mode

        delivery_time: None | str
        if isinstance(self.delivery_time, VoucherProductDetailDeliveryTimeType1):
            delivery_time = self.delivery_time.value
        elif isinstance(self.delivery_time, VoucherProductDetailDeliveryTimeType2Type1):
            delivery_time = self.delivery_time.value
        elif isinstance(self.delivery_time, VoucherProductDetailDeliveryTimeType3Type1):
            delivery_time = self.delivery_time.value
        else:
            delivery_time = self.delivery_time

        validity: None | str
        validity = self.validity

        redeemable = self.redeemable

        available_denominations = []
        for available_denominations_item_data in self.available_denominations:
            available_denominations_item = available_denominations_item_data.to_dict()
            available_denominations.append(available_denominations_item)

        terms: None | str
        terms = self.terms

        details: None | str
        details = self.details

        how_to_use: None | str
        how_to_use = self.how_to_use

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "category": category,
                "sub_category": sub_category,
                "country_code": country_code,
                "currency_code": currency_code,
                "image_url": image_url,
                "delivery_mode": delivery_mode,
                "delivery_time": delivery_time,
                "validity": validity,
                "redeemable": redeemable,
                "available_denominations": available_denominations,
                "terms": terms,
                "details": details,
                "how_to_use": how_to_use,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.voucher_product_detail_available_denominations_item import (
            VoucherProductDetailAvailableDenominationsItem,
        )  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        category = d.pop("category")

        def _parse_sub_category(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        sub_category = _parse_sub_category(d.pop("sub_category"))

        country_code = d.pop("country_code")

        currency_code = d.pop("currency_code")

        def _parse_image_url(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        image_url = _parse_image_url(d.pop("image_url"))

        def _parse_delivery_mode(
            data: object,
        ) -> (
            None
            | VoucherProductDetailDeliveryModeType1
            | VoucherProductDetailDeliveryModeType2Type1
            | VoucherProductDetailDeliveryModeType3Type1
        ):
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                delivery_mode_type_1 = VoucherProductDetailDeliveryModeType1(data)

                return delivery_mode_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                delivery_mode_type_2_type_1 = VoucherProductDetailDeliveryModeType2Type1(data)

                return delivery_mode_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                delivery_mode_type_3_type_1 = VoucherProductDetailDeliveryModeType3Type1(data)

                return delivery_mode_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(
                None
                | VoucherProductDetailDeliveryModeType1
                | VoucherProductDetailDeliveryModeType2Type1
                | VoucherProductDetailDeliveryModeType3Type1,
                data,
            )

        delivery_mode = _parse_delivery_mode(d.pop("delivery_mode"))

        def _parse_delivery_time(
            data: object,
        ) -> (
            None
            | VoucherProductDetailDeliveryTimeType1
            | VoucherProductDetailDeliveryTimeType2Type1
            | VoucherProductDetailDeliveryTimeType3Type1
        ):
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                delivery_time_type_1 = VoucherProductDetailDeliveryTimeType1(data)

                return delivery_time_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                delivery_time_type_2_type_1 = VoucherProductDetailDeliveryTimeType2Type1(data)

                return delivery_time_type_2_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            try:
                if not isinstance(data, str):
                    raise TypeError()
                delivery_time_type_3_type_1 = VoucherProductDetailDeliveryTimeType3Type1(data)

                return delivery_time_type_3_type_1
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(
                None
                | VoucherProductDetailDeliveryTimeType1
                | VoucherProductDetailDeliveryTimeType2Type1
                | VoucherProductDetailDeliveryTimeType3Type1,
                data,
            )

        delivery_time = _parse_delivery_time(d.pop("delivery_time"))

        def _parse_validity(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        validity = _parse_validity(d.pop("validity"))

        redeemable = d.pop("redeemable")

        available_denominations = []
        _available_denominations = d.pop("available_denominations")
        for available_denominations_item_data in _available_denominations:
            available_denominations_item = VoucherProductDetailAvailableDenominationsItem.from_dict(
                available_denominations_item_data
            )

            available_denominations.append(available_denominations_item)

        def _parse_terms(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        terms = _parse_terms(d.pop("terms"))

        def _parse_details(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        details = _parse_details(d.pop("details"))

        def _parse_how_to_use(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        how_to_use = _parse_how_to_use(d.pop("how_to_use"))

        voucher_product_detail = cls(
            id=id,
            name=name,
            category=category,
            sub_category=sub_category,
            country_code=country_code,
            currency_code=currency_code,
            image_url=image_url,
            delivery_mode=delivery_mode,
            delivery_time=delivery_time,
            validity=validity,
            redeemable=redeemable,
            available_denominations=available_denominations,
            terms=terms,
            details=details,
            how_to_use=how_to_use,
        )

        voucher_product_detail.additional_properties = d
        return voucher_product_detail

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
