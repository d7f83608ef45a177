from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.topup_refunded_data_status import TopupRefundedDataStatus
from ..types import UNSET, Unset
from typing import cast
import datetime


T = TypeVar("T", bound="TopupRefundedData")


@_attrs_define
class TopupRefundedData:
    """The data of an event about a top-up order.

    Attributes:
        id (int): The order.
        status (TopupRefundedDataStatus): The state of the order. A refund does not change it.
        product_name (str): The name of the product.
        variant_name (str): The ordered variant.
        country_code (str): The country of the product.
        amount (float): The debited amount, in the wallet's currency.
        currency (str): The wallet's currency.
        failure_code (None | str): Always null: it did not fail.
        created_at (datetime.datetime): When the order was placed.
        completed_at (datetime.datetime): When the order ended.
        refund_id (int): The number of the refund, from 1: its `id` in the list of refunds.
        refund_amount (float): The refunded amount, in the wallet's currency.
        reason_code (str): Why the order was refunded.
        client_reference (str | Unset): Your name for the order; omitted if you gave none.
    """

    id: int
    status: TopupRefundedDataStatus
    product_name: str
    variant_name: str
    country_code: str
    amount: float
    currency: str
    failure_code: None | str
    created_at: datetime.datetime
    completed_at: datetime.datetime
    refund_id: int
    refund_amount: float
    reason_code: str
    client_reference: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        status = self.status.value

        product_name = self.product_name

        variant_name = self.variant_name

        country_code = self.country_code

        amount = self.amount

        currency = self.currency

        failure_code: None | str
        failure_code = self.failure_code

        created_at = self.created_at.isoformat()

        completed_at = self.completed_at.isoformat()

        refund_id = self.refund_id

        refund_amount = self.refund_amount

        reason_code = self.reason_code

        client_reference = self.client_reference

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "status": status,
                "product_name": product_name,
                "variant_name": variant_name,
                "country_code": country_code,
                "amount": amount,
                "currency": currency,
                "failure_code": failure_code,
                "created_at": created_at,
                "completed_at": completed_at,
                "refund_id": refund_id,
                "refund_amount": refund_amount,
                "reason_code": reason_code,
            }
        )
        if client_reference is not UNSET:
            field_dict["client_reference"] = client_reference

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        id = d.pop("id")

        status = TopupRefundedDataStatus(d.pop("status"))

        product_name = d.pop("product_name")

        variant_name = d.pop("variant_name")

        country_code = d.pop("country_code")

        amount = d.pop("amount")

        currency = d.pop("currency")

        def _parse_failure_code(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        failure_code = _parse_failure_code(d.pop("failure_code"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        completed_at = datetime.datetime.fromisoformat(d.pop("completed_at"))

        refund_id = d.pop("refund_id")

        refund_amount = d.pop("refund_amount")

        reason_code = d.pop("reason_code")

        client_reference = d.pop("client_reference", UNSET)

        topup_refunded_data = cls(
            id=id,
            status=status,
            product_name=product_name,
            variant_name=variant_name,
            country_code=country_code,
            amount=amount,
            currency=currency,
            failure_code=failure_code,
            created_at=created_at,
            completed_at=completed_at,
            refund_id=refund_id,
            refund_amount=refund_amount,
            reason_code=reason_code,
            client_reference=client_reference,
        )

        topup_refunded_data.additional_properties = d
        return topup_refunded_data

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
