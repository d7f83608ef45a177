from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..types import UNSET, Unset


T = TypeVar("T", bound="EsimVariant")


@_attrs_define
class EsimVariant:
    """A data plan.

    Attributes:
        id (int): The variant.
        esim_product_id (int): Its product.
        name (str): Its name.
        currency_code (str): The currency of its price.
        amount (float): The list price: `amount` in charges and orders.
        data_amount_gb (float): Data in GB; 0 is unlimited.
        validity_days (int): Days of validity, from first use.
        client_discount (float): Your discount in percent.
        description (str | Unset): A description; omitted if there is none.
    """

    id: int
    esim_product_id: int
    name: str
    currency_code: str
    amount: float
    data_amount_gb: float
    validity_days: int
    client_discount: float
    description: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        esim_product_id = self.esim_product_id

        name = self.name

        currency_code = self.currency_code

        amount = self.amount

        data_amount_gb = self.data_amount_gb

        validity_days = self.validity_days

        client_discount = self.client_discount

        description = self.description

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "esim_product_id": esim_product_id,
                "name": name,
                "currency_code": currency_code,
                "amount": amount,
                "data_amount_gb": data_amount_gb,
                "validity_days": validity_days,
                "client_discount": client_discount,
            }
        )
        if description is not UNSET:
            field_dict["description"] = description

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        esim_product_id = d.pop("esim_product_id")

        name = d.pop("name")

        currency_code = d.pop("currency_code")

        amount = d.pop("amount")

        data_amount_gb = d.pop("data_amount_gb")

        validity_days = d.pop("validity_days")

        client_discount = d.pop("client_discount")

        description = d.pop("description", UNSET)

        esim_variant = cls(
            id=id,
            esim_product_id=esim_product_id,
            name=name,
            currency_code=currency_code,
            amount=amount,
            data_amount_gb=data_amount_gb,
            validity_days=validity_days,
            client_discount=client_discount,
            description=description,
        )

        esim_variant.additional_properties = d
        return esim_variant

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
