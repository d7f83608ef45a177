from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..types import UNSET, Unset
from typing import cast

if TYPE_CHECKING:
    from ..models.charges_charges_details import ChargesChargesDetails


T = TypeVar("T", bound="Charges")


@_attrs_define
class Charges:
    """The exact price of a top-up or eSIM order.

    Attributes:
        non_discounted_total (float): The list total (face value times quantity), in the product's currency.
        discount_amount (float): The discount as an amount.
        total_amount (float): The list total less the discount.
        discount (float): Your discount in percent; 0 without one.
        total_payable (float): The price, which the order debits, in the wallet's currency.
        charges_details (ChargesChargesDetails): The conversion.
        net_amount (float | Unset): `total_amount` in the wallet's currency.
        handling_fee_amount (float | Unset): Always 0.
    """

    non_discounted_total: float
    discount_amount: float
    total_amount: float
    discount: float
    total_payable: float
    charges_details: ChargesChargesDetails
    net_amount: float | Unset = UNSET
    handling_fee_amount: float | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.charges_charges_details import ChargesChargesDetails  # noqa: PLC0415

        non_discounted_total = self.non_discounted_total

        discount_amount = self.discount_amount

        total_amount = self.total_amount

        discount = self.discount

        total_payable = self.total_payable

        charges_details = self.charges_details.to_dict()

        net_amount = self.net_amount

        handling_fee_amount = self.handling_fee_amount

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "non_discounted_total": non_discounted_total,
                "discount_amount": discount_amount,
                "total_amount": total_amount,
                "discount": discount,
                "total_payable": total_payable,
                "charges_details": charges_details,
            }
        )
        if net_amount is not UNSET:
            field_dict["net_amount"] = net_amount
        if handling_fee_amount is not UNSET:
            field_dict["handling_fee_amount"] = handling_fee_amount

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.charges_charges_details import ChargesChargesDetails  # noqa: PLC0415

        d = dict(src_dict)
        non_discounted_total = d.pop("non_discounted_total")

        discount_amount = d.pop("discount_amount")

        total_amount = d.pop("total_amount")

        discount = d.pop("discount")

        total_payable = d.pop("total_payable")

        charges_details = ChargesChargesDetails.from_dict(d.pop("charges_details"))

        net_amount = d.pop("net_amount", UNSET)

        handling_fee_amount = d.pop("handling_fee_amount", UNSET)

        charges = cls(
            non_discounted_total=non_discounted_total,
            discount_amount=discount_amount,
            total_amount=total_amount,
            discount=discount,
            total_payable=total_payable,
            charges_details=charges_details,
            net_amount=net_amount,
            handling_fee_amount=handling_fee_amount,
        )

        charges.additional_properties = d
        return charges

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
