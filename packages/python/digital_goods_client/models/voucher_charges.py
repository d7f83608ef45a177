from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from typing import cast

if TYPE_CHECKING:
    from ..models.voucher_charges_charges_details import VoucherChargesChargesDetails


T = TypeVar("T", bound="VoucherCharges")


@_attrs_define
class VoucherCharges:
    """The exact price of a voucher order.

    Attributes:
        non_discounted_total (float): The list total (face value times quantity), in the product's currency.
        discount_amount (float): The discount as an amount.
        total_amount (float): The list total less the discount.
        discount (float): Your discount in percent; 0 without one.
        gst_amount (float): The tax contained in `total_amount`. It is never added.
        net_amount (float | None): `total_amount` in the wallet's currency.
        handling_fee_amount (float | None): Always 0.
        total_payable (float): The price, which the order debits, in the wallet's currency.
        max_quantity (int): The maximum quantity of one order.
        charges_details (VoucherChargesChargesDetails): The conversion.
    """

    non_discounted_total: float
    discount_amount: float
    total_amount: float
    discount: float
    gst_amount: float
    net_amount: float | None
    handling_fee_amount: float | None
    total_payable: float
    max_quantity: int
    charges_details: VoucherChargesChargesDetails
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.voucher_charges_charges_details import VoucherChargesChargesDetails  # noqa: PLC0415

        non_discounted_total = self.non_discounted_total

        discount_amount = self.discount_amount

        total_amount = self.total_amount

        discount = self.discount

        gst_amount = self.gst_amount

        net_amount: float | None
        net_amount = self.net_amount

        handling_fee_amount: float | None
        handling_fee_amount = self.handling_fee_amount

        total_payable = self.total_payable

        max_quantity = self.max_quantity

        charges_details = self.charges_details.to_dict()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "non_discounted_total": non_discounted_total,
                "discount_amount": discount_amount,
                "total_amount": total_amount,
                "discount": discount,
                "gst_amount": gst_amount,
                "net_amount": net_amount,
                "handling_fee_amount": handling_fee_amount,
                "total_payable": total_payable,
                "max_quantity": max_quantity,
                "charges_details": charges_details,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.voucher_charges_charges_details import VoucherChargesChargesDetails  # noqa: PLC0415

        d = dict(src_dict)
        non_discounted_total = d.pop("non_discounted_total")

        discount_amount = d.pop("discount_amount")

        total_amount = d.pop("total_amount")

        discount = d.pop("discount")

        gst_amount = d.pop("gst_amount")

        def _parse_net_amount(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        net_amount = _parse_net_amount(d.pop("net_amount"))

        def _parse_handling_fee_amount(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        handling_fee_amount = _parse_handling_fee_amount(d.pop("handling_fee_amount"))

        total_payable = d.pop("total_payable")

        max_quantity = d.pop("max_quantity")

        charges_details = VoucherChargesChargesDetails.from_dict(d.pop("charges_details"))

        voucher_charges = cls(
            non_discounted_total=non_discounted_total,
            discount_amount=discount_amount,
            total_amount=total_amount,
            discount=discount,
            gst_amount=gst_amount,
            net_amount=net_amount,
            handling_fee_amount=handling_fee_amount,
            total_payable=total_payable,
            max_quantity=max_quantity,
            charges_details=charges_details,
        )

        voucher_charges.additional_properties = d
        return voucher_charges

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
