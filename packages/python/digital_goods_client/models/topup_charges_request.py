from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..types import UNSET, Unset
from typing import cast


T = TypeVar("T", bound="TopupChargesRequest")


@_attrs_define
class TopupChargesRequest:
    """
    Attributes:
        product_id (int): The product.
        amount (float): Selects the variant: one of its fixed amounts, or an amount within its bounds.
        wallet_id (int | None | Unset): The wallet that pays. Default: the one in the currency of the variant, else your
            default wallet.
        category (None | str | Unset): Selects a variant of this category.
    """

    product_id: int
    amount: float
    wallet_id: int | None | Unset = UNSET
    category: None | str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        product_id = self.product_id

        amount = self.amount

        wallet_id: int | None | Unset
        if isinstance(self.wallet_id, Unset):
            wallet_id = UNSET
        else:
            wallet_id = self.wallet_id

        category: None | str | Unset
        if isinstance(self.category, Unset):
            category = UNSET
        else:
            category = self.category

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "product_id": product_id,
                "amount": amount,
            }
        )
        if wallet_id is not UNSET:
            field_dict["wallet_id"] = wallet_id
        if category is not UNSET:
            field_dict["category"] = category

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        product_id = d.pop("product_id")

        amount = d.pop("amount")

        def _parse_wallet_id(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        wallet_id = _parse_wallet_id(d.pop("wallet_id", UNSET))

        def _parse_category(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        category = _parse_category(d.pop("category", UNSET))

        topup_charges_request = cls(
            product_id=product_id,
            amount=amount,
            wallet_id=wallet_id,
            category=category,
        )

        topup_charges_request.additional_properties = d
        return topup_charges_request

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
