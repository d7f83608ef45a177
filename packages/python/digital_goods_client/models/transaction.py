from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.transaction_order_family import TransactionOrderFamily
from ..models.transaction_status import TransactionStatus
from ..models.transaction_transaction_type import TransactionTransactionType
from ..types import UNSET, Unset
from typing import cast
import datetime


T = TypeVar("T", bound="Transaction")


@_attrs_define
class Transaction:
    """One movement of money in a wallet.

    Attributes:
        id (int): The transaction.
        wallet_id (int): The wallet.
        currency_id (int): The wallet's currency.
        amount (float): The amount, always above 0.
        transaction_type (TransactionTransactionType): `CREDIT` into the wallet, `DEBIT` out of it.
        status (TransactionStatus): Always `COMPLETED`.
        source_currency (None | str): The product's currency, if it differs from the wallet's.
        destination_currency (None | str): The wallet's currency, if it differs from the product's.
        forex_rate (float | None): The exchange rate between them.
        conversion_charges (float | None): The conversion fee, in the wallet's currency.
        remarks (str): Its purpose.
        reference_number (str): `order-<order id>` for an order, else the reference of the booking.
        created_at (datetime.datetime): When it was booked.
        order_family (TransactionOrderFamily | Unset): The family of the order; omitted if the entry belongs to none.
    """

    id: int
    wallet_id: int
    currency_id: int
    amount: float
    transaction_type: TransactionTransactionType
    status: TransactionStatus
    source_currency: None | str
    destination_currency: None | str
    forex_rate: float | None
    conversion_charges: float | None
    remarks: str
    reference_number: str
    created_at: datetime.datetime
    order_family: TransactionOrderFamily | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        wallet_id = self.wallet_id

        currency_id = self.currency_id

        amount = self.amount

        transaction_type = self.transaction_type.value

        status = self.status.value

        source_currency: None | str
        source_currency = self.source_currency

        destination_currency: None | str
        destination_currency = self.destination_currency

        forex_rate: float | None
        forex_rate = self.forex_rate

        conversion_charges: float | None
        conversion_charges = self.conversion_charges

        remarks = self.remarks

        reference_number = self.reference_number

        created_at = self.created_at.isoformat()

        order_family: str | Unset = UNSET
        if not isinstance(self.order_family, Unset):
            order_family = self.order_family.value

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "wallet_id": wallet_id,
                "currency_id": currency_id,
                "amount": amount,
                "transaction_type": transaction_type,
                "status": status,
                "source_currency": source_currency,
                "destination_currency": destination_currency,
                "forex_rate": forex_rate,
                "conversion_charges": conversion_charges,
                "remarks": remarks,
                "reference_number": reference_number,
                "created_at": created_at,
            }
        )
        if order_family is not UNSET:
            field_dict["order_family"] = order_family

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        wallet_id = d.pop("wallet_id")

        currency_id = d.pop("currency_id")

        amount = d.pop("amount")

        transaction_type = TransactionTransactionType(d.pop("transaction_type"))

        status = TransactionStatus(d.pop("status"))

        def _parse_source_currency(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        source_currency = _parse_source_currency(d.pop("source_currency"))

        def _parse_destination_currency(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        destination_currency = _parse_destination_currency(d.pop("destination_currency"))

        def _parse_forex_rate(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        forex_rate = _parse_forex_rate(d.pop("forex_rate"))

        def _parse_conversion_charges(data: object) -> float | None:
            if data is None:
                return data
            return cast(float | None, data)

        conversion_charges = _parse_conversion_charges(d.pop("conversion_charges"))

        remarks = d.pop("remarks")

        reference_number = d.pop("reference_number")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        _order_family = d.pop("order_family", UNSET)
        order_family: TransactionOrderFamily | Unset
        if isinstance(_order_family, Unset):
            order_family = UNSET
        else:
            order_family = TransactionOrderFamily(_order_family)

        transaction = cls(
            id=id,
            wallet_id=wallet_id,
            currency_id=currency_id,
            amount=amount,
            transaction_type=transaction_type,
            status=status,
            source_currency=source_currency,
            destination_currency=destination_currency,
            forex_rate=forex_rate,
            conversion_charges=conversion_charges,
            remarks=remarks,
            reference_number=reference_number,
            created_at=created_at,
            order_family=order_family,
        )

        transaction.additional_properties = d
        return transaction

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
