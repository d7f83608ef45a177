from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.wallet_low_balance_data_order_family import WalletLowBalanceDataOrderFamily
from ..types import UNSET, Unset


T = TypeVar("T", bound="WalletLowBalanceData")


@_attrs_define
class WalletLowBalanceData:
    """The data of an event about a low balance.

    Attributes:
        wallet_id (int): The wallet.
        balance (str): The balance.
        threshold (str): The threshold.
        currency (str): The wallet's currency.
        order_family (WalletLowBalanceDataOrderFamily | Unset): The family of the order; omitted if the entry belongs to
            none.
    """

    wallet_id: int
    balance: str
    threshold: str
    currency: str
    order_family: WalletLowBalanceDataOrderFamily | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        wallet_id = self.wallet_id

        balance = self.balance

        threshold = self.threshold

        currency = self.currency

        order_family: str | Unset = UNSET
        if not isinstance(self.order_family, Unset):
            order_family = self.order_family.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "wallet_id": wallet_id,
                "balance": balance,
                "threshold": threshold,
                "currency": currency,
            }
        )
        if order_family is not UNSET:
            field_dict["order_family"] = order_family

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        wallet_id = d.pop("wallet_id")

        balance = d.pop("balance")

        threshold = d.pop("threshold")

        currency = d.pop("currency")

        _order_family = d.pop("order_family", UNSET)
        order_family: WalletLowBalanceDataOrderFamily | Unset
        if isinstance(_order_family, Unset):
            order_family = UNSET
        else:
            order_family = WalletLowBalanceDataOrderFamily(_order_family)

        wallet_low_balance_data = cls(
            wallet_id=wallet_id,
            balance=balance,
            threshold=threshold,
            currency=currency,
            order_family=order_family,
        )

        wallet_low_balance_data.additional_properties = d
        return wallet_low_balance_data

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
