from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..types import UNSET, Unset
from typing import cast

if TYPE_CHECKING:
    from ..models.topup_variant_available_in_item import TopupVariantAvailableInItem
    from ..models.topup_variant_fields_item import TopupVariantFieldsItem


T = TypeVar("T", bound="TopupVariant")


@_attrs_define
class TopupVariant:
    """A variant of a top-up, with fixed amounts or bounds.

    Attributes:
        id (int): The variant.
        name (str): Its name.
        category (str): Its category; may be empty.
        currency_code (str): The currency of its amounts.
        available_in (list[TopupVariantAvailableInItem]): The regions where it is valid.
        fields (list[TopupVariantFieldsItem]): More details for customers.
        unit (str | Unset): The unit of `par_value`; omitted if there is none.
        min_amount (float | Unset): The minimum amount, if the customer chooses it.
        max_amount (float | Unset): The maximum amount.
        fixed_amounts (list[str] | Unset): The fixed amounts.
    """

    id: int
    name: str
    category: str
    currency_code: str
    available_in: list[TopupVariantAvailableInItem]
    fields: list[TopupVariantFieldsItem]
    unit: str | Unset = UNSET
    min_amount: float | Unset = UNSET
    max_amount: float | Unset = UNSET
    fixed_amounts: list[str] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.topup_variant_available_in_item import TopupVariantAvailableInItem  # noqa: PLC0415
        from ..models.topup_variant_fields_item import TopupVariantFieldsItem  # noqa: PLC0415

        id = self.id

        name = self.name

        category = self.category

        currency_code = self.currency_code

        available_in = []
        for available_in_item_data in self.available_in:
            available_in_item = available_in_item_data.to_dict()
            available_in.append(available_in_item)

        fields = []
        for fields_item_data in self.fields:
            fields_item = fields_item_data.to_dict()
            fields.append(fields_item)

        unit = self.unit

        min_amount = self.min_amount

        max_amount = self.max_amount

        fixed_amounts: list[str] | Unset = UNSET
        if not isinstance(self.fixed_amounts, Unset):
            fixed_amounts = self.fixed_amounts

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "name": name,
                "category": category,
                "currency_code": currency_code,
                "available_in": available_in,
                "fields": fields,
            }
        )
        if unit is not UNSET:
            field_dict["unit"] = unit
        if min_amount is not UNSET:
            field_dict["min_amount"] = min_amount
        if max_amount is not UNSET:
            field_dict["max_amount"] = max_amount
        if fixed_amounts is not UNSET:
            field_dict["fixed_amounts"] = fixed_amounts

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.topup_variant_available_in_item import TopupVariantAvailableInItem  # noqa: PLC0415
        from ..models.topup_variant_fields_item import TopupVariantFieldsItem  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        name = d.pop("name")

        category = d.pop("category")

        currency_code = d.pop("currency_code")

        available_in = []
        _available_in = d.pop("available_in")
        for available_in_item_data in _available_in:
            available_in_item = TopupVariantAvailableInItem.from_dict(available_in_item_data)

            available_in.append(available_in_item)

        fields = []
        _fields = d.pop("fields")
        for fields_item_data in _fields:
            fields_item = TopupVariantFieldsItem.from_dict(fields_item_data)

            fields.append(fields_item)

        unit = d.pop("unit", UNSET)

        min_amount = d.pop("min_amount", UNSET)

        max_amount = d.pop("max_amount", UNSET)

        fixed_amounts = cast(list[str], d.pop("fixed_amounts", UNSET))

        topup_variant = cls(
            id=id,
            name=name,
            category=category,
            currency_code=currency_code,
            available_in=available_in,
            fields=fields,
            unit=unit,
            min_amount=min_amount,
            max_amount=max_amount,
            fixed_amounts=fixed_amounts,
        )

        topup_variant.additional_properties = d
        return topup_variant

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
