from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.voucher_order_status import VoucherOrderStatus
from ..types import UNSET, Unset
from typing import cast
import datetime

if TYPE_CHECKING:
    from ..models.voucher_order_item_replacements_item import VoucherOrderItemReplacementsItem
    from ..models.voucher_order_item_replaces import VoucherOrderItemReplaces


T = TypeVar("T", bound="VoucherOrderItem")


@_attrs_define
class VoucherOrderItem:
    """A voucher order in a list.

    Attributes:
        id (int): The order.
        product_id (int): The product.
        product_name (str): Its name.
        denomination (float): Face value of one voucher.
        quantity (int): The number of vouchers.
        amount (float): Face value times quantity, in the product's currency.
        currency (str): The product's currency.
        status (VoucherOrderStatus): The state of the order.
        email (str): The delivery email; empty if there is none.
        placed_at (datetime.datetime): When the order was placed.
        client_reference (str | Unset): Your name for the order; omitted if you gave none.
        transaction_id (int | Unset): The transaction that debited the wallet; omitted if nothing was debited.
        replaces (VoucherOrderItemReplaces | Unset): The unit that the order replaces; omitted if it replaces none.
        replacements (list[VoucherOrderItemReplacementsItem] | Unset): The orders that replace units of this order;
            omitted if there are none.
    """

    id: int
    product_id: int
    product_name: str
    denomination: float
    quantity: int
    amount: float
    currency: str
    status: VoucherOrderStatus
    email: str
    placed_at: datetime.datetime
    client_reference: str | Unset = UNSET
    transaction_id: int | Unset = UNSET
    replaces: VoucherOrderItemReplaces | Unset = UNSET
    replacements: list[VoucherOrderItemReplacementsItem] | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.voucher_order_item_replacements_item import VoucherOrderItemReplacementsItem  # noqa: PLC0415
        from ..models.voucher_order_item_replaces import VoucherOrderItemReplaces  # noqa: PLC0415

        id = self.id

        product_id = self.product_id

        product_name = self.product_name

        denomination = self.denomination

        quantity = self.quantity

        amount = self.amount

        currency = self.currency

        status = self.status.value

        email = self.email

        placed_at = self.placed_at.isoformat()

        client_reference = self.client_reference

        transaction_id = self.transaction_id

        replaces: dict[str, Any] | Unset = UNSET
        if not isinstance(self.replaces, Unset):
            replaces = self.replaces.to_dict()

        replacements: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.replacements, Unset):
            replacements = []
            for replacements_item_data in self.replacements:
                replacements_item = replacements_item_data.to_dict()
                replacements.append(replacements_item)

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "product_id": product_id,
                "product_name": product_name,
                "denomination": denomination,
                "quantity": quantity,
                "amount": amount,
                "currency": currency,
                "status": status,
                "email": email,
                "placed_at": placed_at,
            }
        )
        if client_reference is not UNSET:
            field_dict["client_reference"] = client_reference
        if transaction_id is not UNSET:
            field_dict["transaction_id"] = transaction_id
        if replaces is not UNSET:
            field_dict["replaces"] = replaces
        if replacements is not UNSET:
            field_dict["replacements"] = replacements

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.voucher_order_item_replacements_item import VoucherOrderItemReplacementsItem  # noqa: PLC0415
        from ..models.voucher_order_item_replaces import VoucherOrderItemReplaces  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        product_id = d.pop("product_id")

        product_name = d.pop("product_name")

        denomination = d.pop("denomination")

        quantity = d.pop("quantity")

        amount = d.pop("amount")

        currency = d.pop("currency")

        status = VoucherOrderStatus(d.pop("status"))

        email = d.pop("email")

        placed_at = datetime.datetime.fromisoformat(d.pop("placed_at"))

        client_reference = d.pop("client_reference", UNSET)

        transaction_id = d.pop("transaction_id", UNSET)

        _replaces = d.pop("replaces", UNSET)
        replaces: VoucherOrderItemReplaces | Unset
        if isinstance(_replaces, Unset):
            replaces = UNSET
        else:
            replaces = VoucherOrderItemReplaces.from_dict(_replaces)

        _replacements = d.pop("replacements", UNSET)
        replacements: list[VoucherOrderItemReplacementsItem] | Unset = UNSET
        if _replacements is not UNSET:
            replacements = []
            for replacements_item_data in _replacements:
                replacements_item = VoucherOrderItemReplacementsItem.from_dict(replacements_item_data)

                replacements.append(replacements_item)

        voucher_order_item = cls(
            id=id,
            product_id=product_id,
            product_name=product_name,
            denomination=denomination,
            quantity=quantity,
            amount=amount,
            currency=currency,
            status=status,
            email=email,
            placed_at=placed_at,
            client_reference=client_reference,
            transaction_id=transaction_id,
            replaces=replaces,
            replacements=replacements,
        )

        voucher_order_item.additional_properties = d
        return voucher_order_item

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
