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
    from ..models.topup_order_input_data_type_0 import TopupOrderInputDataType0
    from ..models.topup_order_replacements_item import TopupOrderReplacementsItem
    from ..models.topup_order_replaces import TopupOrderReplaces


T = TypeVar("T", bound="TopupOrder")


@_attrs_define
class TopupOrder:
    """A top-up order.

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
        charged_amount (float): The debited amount; 0 if nothing was debited.
        charged_currency (str): The wallet's currency.
        refunded_amount (float): The sum of all credited refunds; 0 until one is credited.
        input_data (None | TopupOrderInputDataType0): The customer's input, normalised. Empty once the recipient was
            erased; null if it is unreadable.
        client_reference (str | Unset): Your name for the order; omitted if you gave none.
        transaction_id (int | Unset): The transaction that debited the wallet; omitted if nothing was debited.
        replaces (TopupOrderReplaces | Unset): The unit that the order replaces; omitted if it replaces none.
        replacements (list[TopupOrderReplacementsItem] | Unset): The orders that replace units of this order; omitted if
            there are none.
        completed_at (datetime.datetime | Unset): When the order ended; omitted until then.
        refund_transaction_id (int | Unset): The transaction of the first refund; omitted until there is one.
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
    charged_amount: float
    charged_currency: str
    refunded_amount: float
    input_data: None | TopupOrderInputDataType0
    client_reference: str | Unset = UNSET
    transaction_id: int | Unset = UNSET
    replaces: TopupOrderReplaces | Unset = UNSET
    replacements: list[TopupOrderReplacementsItem] | Unset = UNSET
    completed_at: datetime.datetime | Unset = UNSET
    refund_transaction_id: int | Unset = UNSET
    failure_code: str | Unset = UNSET
    failure_reason: str | Unset = UNSET
    is_user_fixable: bool | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.topup_order_input_data_type_0 import TopupOrderInputDataType0  # noqa: PLC0415
        from ..models.topup_order_replacements_item import TopupOrderReplacementsItem  # noqa: PLC0415
        from ..models.topup_order_replaces import TopupOrderReplaces  # noqa: PLC0415

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

        charged_amount = self.charged_amount

        charged_currency = self.charged_currency

        refunded_amount = self.refunded_amount

        input_data: dict[str, Any] | None
        if isinstance(self.input_data, TopupOrderInputDataType0):
            input_data = self.input_data.to_dict()
        else:
            input_data = self.input_data

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

        refund_transaction_id = self.refund_transaction_id

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
                "charged_amount": charged_amount,
                "charged_currency": charged_currency,
                "refunded_amount": refunded_amount,
                "input_data": input_data,
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
        if refund_transaction_id is not UNSET:
            field_dict["refund_transaction_id"] = refund_transaction_id
        if failure_code is not UNSET:
            field_dict["failure_code"] = failure_code
        if failure_reason is not UNSET:
            field_dict["failure_reason"] = failure_reason
        if is_user_fixable is not UNSET:
            field_dict["is_user_fixable"] = is_user_fixable

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.topup_order_input_data_type_0 import TopupOrderInputDataType0  # noqa: PLC0415
        from ..models.topup_order_replacements_item import TopupOrderReplacementsItem  # noqa: PLC0415
        from ..models.topup_order_replaces import TopupOrderReplaces  # noqa: PLC0415

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

        charged_amount = d.pop("charged_amount")

        charged_currency = d.pop("charged_currency")

        refunded_amount = d.pop("refunded_amount")

        def _parse_input_data(data: object) -> None | TopupOrderInputDataType0:
            if data is None:
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                input_data_type_0 = TopupOrderInputDataType0.from_dict(data)

                return input_data_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | TopupOrderInputDataType0, data)

        input_data = _parse_input_data(d.pop("input_data"))

        client_reference = d.pop("client_reference", UNSET)

        transaction_id = d.pop("transaction_id", UNSET)

        _replaces = d.pop("replaces", UNSET)
        replaces: TopupOrderReplaces | Unset
        if isinstance(_replaces, Unset):
            replaces = UNSET
        else:
            replaces = TopupOrderReplaces.from_dict(_replaces)

        _replacements = d.pop("replacements", UNSET)
        replacements: list[TopupOrderReplacementsItem] | Unset = UNSET
        if _replacements is not UNSET:
            replacements = []
            for replacements_item_data in _replacements:
                replacements_item = TopupOrderReplacementsItem.from_dict(replacements_item_data)

                replacements.append(replacements_item)

        _completed_at = d.pop("completed_at", UNSET)
        completed_at: datetime.datetime | Unset
        if isinstance(_completed_at, Unset):
            completed_at = UNSET
        else:
            completed_at = datetime.datetime.fromisoformat(_completed_at)

        refund_transaction_id = d.pop("refund_transaction_id", UNSET)

        failure_code = d.pop("failure_code", UNSET)

        failure_reason = d.pop("failure_reason", UNSET)

        is_user_fixable = d.pop("is_user_fixable", UNSET)

        topup_order = cls(
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
            charged_amount=charged_amount,
            charged_currency=charged_currency,
            refunded_amount=refunded_amount,
            input_data=input_data,
            client_reference=client_reference,
            transaction_id=transaction_id,
            replaces=replaces,
            replacements=replacements,
            completed_at=completed_at,
            refund_transaction_id=refund_transaction_id,
            failure_code=failure_code,
            failure_reason=failure_reason,
            is_user_fixable=is_user_fixable,
        )

        topup_order.additional_properties = d
        return topup_order

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
