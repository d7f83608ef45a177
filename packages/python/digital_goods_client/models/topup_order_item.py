from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.topup_order_status import TopupOrderStatus
from ..types import UNSET, Unset
from typing import cast
import datetime

if TYPE_CHECKING:
    from ..models.topup_order_item_replacements_item import TopupOrderItemReplacementsItem
    from ..models.topup_order_item_replaces import TopupOrderItemReplaces


T = TypeVar("T", bound="TopupOrderItem")


@_attrs_define
class TopupOrderItem:
    """A top-up order in a list.

    Attributes:
        id (int): The order.
        product_name (str): The name of the product.
        country_code (str): The country of the product (ISO 3166-1 alpha-3, or `GLO`).
        amount (float): The debited price, in the wallet's currency.
        currency (str): The wallet's currency.
        status (TopupOrderStatus): The state of the order.
        status_text (str): The state of the order, for people.
        created_at (datetime.datetime): When the order was placed.
        product_id (int): The product.
        variant_name (str): The ordered variant.
        client_reference (str | Unset): Your name for the order; omitted if you gave none.
        transaction_id (int | Unset): The transaction that debited the wallet; omitted if nothing was debited.
        replaces (TopupOrderItemReplaces | Unset): The unit that the order replaces; omitted if it replaces none.
        replacements (list[TopupOrderItemReplacementsItem] | Unset): The orders that replace units of this order;
            omitted if there are none.
        completed_at (datetime.datetime | Unset): When the order ended; omitted until then.
        failure_code (str | Unset): Why the order failed, for programs.
        failure_reason (str | Unset): Why the order failed, for the customer.
        is_user_fixable (bool | Unset): Whether a corrected order can succeed.
    """

    id: int
    product_name: str
    country_code: str
    amount: float
    currency: str
    status: TopupOrderStatus
    status_text: str
    created_at: datetime.datetime
    product_id: int
    variant_name: str
    client_reference: str | Unset = UNSET
    transaction_id: int | Unset = UNSET
    replaces: TopupOrderItemReplaces | Unset = UNSET
    replacements: list[TopupOrderItemReplacementsItem] | Unset = UNSET
    completed_at: datetime.datetime | Unset = UNSET
    failure_code: str | Unset = UNSET
    failure_reason: str | Unset = UNSET
    is_user_fixable: bool | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.topup_order_item_replacements_item import TopupOrderItemReplacementsItem  # noqa: PLC0415
        from ..models.topup_order_item_replaces import TopupOrderItemReplaces  # noqa: PLC0415

        id = self.id

        product_name = self.product_name

        country_code = self.country_code

        amount = self.amount

        currency = self.currency

        status = self.status.value

        status_text = self.status_text

        created_at = self.created_at.isoformat()

        product_id = self.product_id

        variant_name = self.variant_name

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

        completed_at: str | Unset = UNSET
        if not isinstance(self.completed_at, Unset):
            completed_at = self.completed_at.isoformat()

        failure_code = self.failure_code

        failure_reason = self.failure_reason

        is_user_fixable = self.is_user_fixable

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "product_name": product_name,
                "country_code": country_code,
                "amount": amount,
                "currency": currency,
                "status": status,
                "status_text": status_text,
                "created_at": created_at,
                "product_id": product_id,
                "variant_name": variant_name,
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
        if completed_at is not UNSET:
            field_dict["completed_at"] = completed_at
        if failure_code is not UNSET:
            field_dict["failure_code"] = failure_code
        if failure_reason is not UNSET:
            field_dict["failure_reason"] = failure_reason
        if is_user_fixable is not UNSET:
            field_dict["is_user_fixable"] = is_user_fixable

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.topup_order_item_replacements_item import TopupOrderItemReplacementsItem  # noqa: PLC0415
        from ..models.topup_order_item_replaces import TopupOrderItemReplaces  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        product_name = d.pop("product_name")

        country_code = d.pop("country_code")

        amount = d.pop("amount")

        currency = d.pop("currency")

        status = TopupOrderStatus(d.pop("status"))

        status_text = d.pop("status_text")

        created_at = datetime.datetime.fromisoformat(d.pop("created_at"))

        product_id = d.pop("product_id")

        variant_name = d.pop("variant_name")

        client_reference = d.pop("client_reference", UNSET)

        transaction_id = d.pop("transaction_id", UNSET)

        _replaces = d.pop("replaces", UNSET)
        replaces: TopupOrderItemReplaces | Unset
        if isinstance(_replaces, Unset):
            replaces = UNSET
        else:
            replaces = TopupOrderItemReplaces.from_dict(_replaces)

        _replacements = d.pop("replacements", UNSET)
        replacements: list[TopupOrderItemReplacementsItem] | Unset = UNSET
        if _replacements is not UNSET:
            replacements = []
            for replacements_item_data in _replacements:
                replacements_item = TopupOrderItemReplacementsItem.from_dict(replacements_item_data)

                replacements.append(replacements_item)

        _completed_at = d.pop("completed_at", UNSET)
        completed_at: datetime.datetime | Unset
        if isinstance(_completed_at, Unset):
            completed_at = UNSET
        else:
            completed_at = datetime.datetime.fromisoformat(_completed_at)

        failure_code = d.pop("failure_code", UNSET)

        failure_reason = d.pop("failure_reason", UNSET)

        is_user_fixable = d.pop("is_user_fixable", UNSET)

        topup_order_item = cls(
            id=id,
            product_name=product_name,
            country_code=country_code,
            amount=amount,
            currency=currency,
            status=status,
            status_text=status_text,
            created_at=created_at,
            product_id=product_id,
            variant_name=variant_name,
            client_reference=client_reference,
            transaction_id=transaction_id,
            replaces=replaces,
            replacements=replacements,
            completed_at=completed_at,
            failure_code=failure_code,
            failure_reason=failure_reason,
            is_user_fixable=is_user_fixable,
        )

        topup_order_item.additional_properties = d
        return topup_order_item

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
