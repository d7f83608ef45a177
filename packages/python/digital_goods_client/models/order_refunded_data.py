from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.order_refunded_data_status import OrderRefundedDataStatus
from ..types import UNSET, Unset
from typing import cast
import datetime


T = TypeVar("T", bound="OrderRefundedData")


@_attrs_define
class OrderRefundedData:
    """The data of an event about a voucher order.

    Attributes:
        id (int): The order.
        status (OrderRefundedDataStatus): The state of the order. A refund does not change it.
        product_name (str): The name of the product.
        denomination (float): Face value of one voucher.
        quantity (int): The number of vouchers.
        amount (float): Face value times quantity, in the product's currency.
        delivered_quantity (int): The number of delivered vouchers; 0 if it failed or was cancelled.
        fulfilled_quantity (int): The number of vouchers whose codes the client can read, even if the order failed.
            `delivered_quantity` is then 0.
        delivered_on (datetime.datetime | None): When it was delivered; null if the order failed.
        created_at (datetime.datetime): When the order was placed.
        refund_id (int): The number of the refund, from 1: its `id` in the list of refunds.
        refund_amount (float): The refunded amount, in the wallet's currency.
        reason_code (str): Why the order was refunded.
        client_reference (str | Unset): Your name for the order; omitted if you gave none.
    """

    id: int
    status: OrderRefundedDataStatus
    product_name: str
    denomination: float
    quantity: int
    amount: float
    delivered_quantity: int
    fulfilled_quantity: int
    delivered_on: datetime.datetime | None
    created_at: datetime.datetime
    refund_id: int
    refund_amount: float
    reason_code: str
    client_reference: str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        id = self.id

        status = self.status.value

        product_name = self.product_name

        denomination = self.denomination

        quantity = self.quantity

        amount = self.amount

        delivered_quantity = self.delivered_quantity

        fulfilled_quantity = self.fulfilled_quantity

        delivered_on: None | str
        if isinstance(self.delivered_on, datetime.datetime):
            delivered_on = self.delivered_on.isoformat()
        else:
            delivered_on = self.delivered_on

        created_at = self.created_at.isoformat()

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
                "denomination": denomination,
                "quantity": quantity,
                "amount": amount,
                "delivered_quantity": delivered_quantity,
                "fulfilled_quantity": fulfilled_quantity,
                "delivered_on": delivered_on,
                "created_at": created_at,
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

        status = OrderRefundedDataStatus(d.pop("status"))

        product_name = d.pop("product_name")

        denomination = d.pop("denomination")

        quantity = d.pop("quantity")

        amount = d.pop("amount")

        delivered_quantity = d.pop("delivered_quantity")

        fulfilled_quantity = d.pop("fulfilled_quantity")

        def _parse_delivered_on(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                delivered_on_type_0 = datetime.datetime.fromisoformat(data)

                return delivered_on_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        delivered_on = _parse_delivered_on(d.pop("delivered_on"))

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        refund_id = d.pop("refund_id")

        refund_amount = d.pop("refund_amount")

        reason_code = d.pop("reason_code")

        client_reference = d.pop("client_reference", UNSET)

        order_refunded_data = cls(
            id=id,
            status=status,
            product_name=product_name,
            denomination=denomination,
            quantity=quantity,
            amount=amount,
            delivered_quantity=delivered_quantity,
            fulfilled_quantity=fulfilled_quantity,
            delivered_on=delivered_on,
            created_at=created_at,
            refund_id=refund_id,
            refund_amount=refund_amount,
            reason_code=reason_code,
            client_reference=client_reference,
        )

        order_refunded_data.additional_properties = d
        return order_refunded_data

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
