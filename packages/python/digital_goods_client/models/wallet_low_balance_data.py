from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

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
    """

    wallet_id: int
    balance: str
    threshold: str
    currency: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        wallet_id = self.wallet_id

        balance = self.balance

        threshold = self.threshold

        currency = self.currency

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

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        wallet_id = d.pop("wallet_id")

        balance = d.pop("balance")

        threshold = d.pop("threshold")

        currency = d.pop("currency")

        wallet_low_balance_data = cls(
            wallet_id=wallet_id,
            balance=balance,
            threshold=threshold,
            currency=currency,
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
