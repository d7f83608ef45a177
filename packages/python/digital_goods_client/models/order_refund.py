from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from typing import cast
import datetime


T = TypeVar("T", bound="OrderRefund")


@_attrs_define
class OrderRefund:
    """A credited refund of an order.

    Attributes:
        id (int): The number of the refund, from 1; 0 for the automatic refund of undelivered units.
        amount (float): The refunded amount, in the wallet's currency.
        currency (str): The wallet's currency.
        units (int | None): The number of refunded units; null for an amount.
        reason_code (str): Why the order was refunded. `NOT_DELIVERED` is the automatic refund.
        transaction_id (int): The transaction that credited the wallet.
        created_at (datetime.datetime): When the refund was credited.
    """

    id: int
    amount: float
    currency: str
    units: int | None
    reason_code: str
    transaction_id: int
    created_at: datetime.datetime
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        amount = self.amount

        currency = self.currency

        units: int | None
        units = self.units

        reason_code = self.reason_code

        transaction_id = self.transaction_id

        created_at = self.created_at.isoformat()

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "amount": amount,
                "currency": currency,
                "units": units,
                "reason_code": reason_code,
                "transaction_id": transaction_id,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        amount = d.pop("amount")

        currency = d.pop("currency")

        def _parse_units(data: object) -> int | None:
            if data is None:
                return data
            return cast(int | None, data)

        units = _parse_units(d.pop("units"))

        reason_code = d.pop("reason_code")

        transaction_id = d.pop("transaction_id")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        order_refund = cls(
            id=id,
            amount=amount,
            currency=currency,
            units=units,
            reason_code=reason_code,
            transaction_id=transaction_id,
            created_at=created_at,
        )

        order_refund.additional_properties = d
        return order_refund

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
