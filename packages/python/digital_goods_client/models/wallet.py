from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from typing import cast
import datetime


T = TypeVar("T", bound="Wallet")


@_attrs_define
class Wallet:
    """A prepaid balance that pays for orders.

    Attributes:
        id (int): The wallet.
        currency_id (int): Its currency.
        currency_code (str): Its currency (ISO 4217).
        balance (float): The balance.
        is_default (bool): Whether it pays for top-ups and eSIMs if the request names no wallet and no wallet has the
            currency.
        low_balance_threshold (float | None): A debit that leaves less sends `wallet.low_balance`; null if none is set.
        created_at (datetime.datetime): When it was created.
        updated_at (datetime.datetime): When it last changed.
    """

    id: int
    currency_id: int
    currency_code: str
    balance: float
    is_default: bool
    low_balance_threshold: float | None
    created_at: datetime.datetime
    updated_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        currency_id = self.currency_id

        currency_code = self.currency_code

        balance = self.balance

        is_default = self.is_default

        low_balance_threshold: float | None
        low_balance_threshold = self.low_balance_threshold

        created_at = self.created_at.isoformat()

        updated_at = self.updated_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "currency_id": currency_id,
                "currency_code": currency_code,
                "balance": balance,
                "is_default": is_default,
                "low_balance_threshold": low_balance_threshold,
                "created_at": created_at,
                "updated_at": updated_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        currency_id = d.pop("currency_id")

        currency_code = d.pop("currency_code")

        balance = d.pop("balance")

        is_default = d.pop("is_default")

        def _parse_low_balance_threshold(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        low_balance_threshold = _parse_low_balance_threshold(d.pop("low_balance_threshold"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        updated_at = datetime.datetime.fromisoformat(d.pop("updated_at"))

        wallet = cls(
            id=id,
            currency_id=currency_id,
            currency_code=currency_code,
            balance=balance,
            is_default=is_default,
            low_balance_threshold=low_balance_threshold,
            created_at=created_at,
            updated_at=updated_at,
        )

        wallet.additional_properties = d
        return wallet

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
