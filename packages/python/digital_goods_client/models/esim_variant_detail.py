from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..types import UNSET, Unset
from typing import cast

if TYPE_CHECKING:
    from ..models.esim_variant_detail_regions_item import EsimVariantDetailRegionsItem


T = TypeVar("T", bound="EsimVariantDetail")


@_attrs_define
class EsimVariantDetail:
    """A data plan with the details of its supplier.

    Attributes:
        id (int): The variant.
        esim_product_id (int): Its product.
        name (str): Its name.
        currency_code (str): The currency of its price.
        amount (float): The list price: `amount` in charges and orders.
        data_amount_gb (float): Data in GB; 0 is unlimited.
        validity_days (int): Days of validity, from first use.
        client_discount (float): Your discount in percent.
        regions (list[EsimVariantDetailRegionsItem]): The regions where it works.
        networks (list[str]): The networks that it uses.
        is_rechargeable (bool): Whether its supplier can recharge it.
        description (str | Unset): A description; omitted if there is none.
        activation_policy (str | Unset): When its validity begins; omitted if unknown.
    """

    id: int
    esim_product_id: int
    name: str
    currency_code: str
    amount: float
    data_amount_gb: float
    validity_days: int
    client_discount: float
    regions: list[EsimVariantDetailRegionsItem]
    networks: list[str]
    is_rechargeable: bool
    description: str | Unset = UNSET
    activation_policy: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.esim_variant_detail_regions_item import EsimVariantDetailRegionsItem  # noqa: PLC0415

        id = self.id

        esim_product_id = self.esim_product_id

        name = self.name

        currency_code = self.currency_code

        amount = self.amount

        data_amount_gb = self.data_amount_gb

        validity_days = self.validity_days

        client_discount = self.client_discount

        regions = []
        for regions_item_data in self.regions:
            regions_item = regions_item_data.to_dict()
            regions.append(regions_item)

        networks = self.networks

        is_rechargeable = self.is_rechargeable

        description = self.description

        activation_policy = self.activation_policy

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
                "regions": regions,
                "networks": networks,
                "is_rechargeable": is_rechargeable,
            }
        )
        if description is not UNSET:
            field_dict["description"] = description
        if activation_policy is not UNSET:
            field_dict["activation_policy"] = activation_policy

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.esim_variant_detail_regions_item import EsimVariantDetailRegionsItem  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        esim_product_id = d.pop("esim_product_id")

        name = d.pop("name")

        currency_code = d.pop("currency_code")

        amount = d.pop("amount")

        data_amount_gb = d.pop("data_amount_gb")

        validity_days = d.pop("validity_days")

        client_discount = d.pop("client_discount")

        regions = []
        _regions = d.pop("regions")
        for regions_item_data in _regions:
            regions_item = EsimVariantDetailRegionsItem.from_dict(regions_item_data)

            regions.append(regions_item)

        networks = cast(list[str], d.pop("networks"))

        is_rechargeable = d.pop("is_rechargeable")

        description = d.pop("description", UNSET)

        activation_policy = d.pop("activation_policy", UNSET)

        esim_variant_detail = cls(
            id=id,
            esim_product_id=esim_product_id,
            name=name,
            currency_code=currency_code,
            amount=amount,
            data_amount_gb=data_amount_gb,
            validity_days=validity_days,
            client_discount=client_discount,
            regions=regions,
            networks=networks,
            is_rechargeable=is_rechargeable,
            description=description,
            activation_policy=activation_policy,
        )

        esim_variant_detail.additional_properties = d
        return esim_variant_detail

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
