from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.wallet_entry_data_order_family import WalletEntryDataOrderFamily
from ..types import UNSET, Unset


T = TypeVar("T", bound="WalletEntryData")


@_attrs_define
class WalletEntryData:
    """The data of an event about a transaction.

    Attributes:
        wallet_id (int): The wallet.
        ledger_id (int): The transaction.
        amount (str): The amount, with the decimals of its currency.
        currency (str): The wallet's currency.
        reference_number (str): The reference of the entry: `order-<order id>` for an order's debit, automatic refund or
            redemption, `order-<order id>-r<n>` for a refund after delivery.
        remarks (str): Its purpose.
        order_family (WalletEntryDataOrderFamily | Unset): The family of the order; omitted if the entry belongs to
            none.
    """

    wallet_id: int
    ledger_id: int
    amount: str
    currency: str
    reference_number: str
    remarks: str
    order_family: WalletEntryDataOrderFamily | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        wallet_id = self.wallet_id

        ledger_id = self.ledger_id

        amount = self.amount

        currency = self.currency

        reference_number = self.reference_number

        remarks = self.remarks

        order_family: str | Unset = UNSET
        if not isinstance(self.order_family, Unset):
            order_family = self.order_family.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "wallet_id": wallet_id,
                "ledger_id": ledger_id,
                "amount": amount,
                "currency": currency,
                "reference_number": reference_number,
                "remarks": remarks,
            }
        )
        if order_family is not UNSET:
            field_dict["order_family"] = order_family

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        wallet_id = d.pop("wallet_id")

        ledger_id = d.pop("ledger_id")

        amount = d.pop("amount")

        currency = d.pop("currency")

        reference_number = d.pop("reference_number")

        remarks = d.pop("remarks")

        _order_family = d.pop("order_family", UNSET)
        order_family: WalletEntryDataOrderFamily | Unset
        if isinstance(_order_family, Unset):
            order_family = UNSET
        else:
            order_family = WalletEntryDataOrderFamily(_order_family)

        wallet_entry_data = cls(
            wallet_id=wallet_id,
            ledger_id=ledger_id,
            amount=amount,
            currency=currency,
            reference_number=reference_number,
            remarks=remarks,
            order_family=order_family,
        )

        wallet_entry_data.additional_properties = d
        return wallet_entry_data

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
