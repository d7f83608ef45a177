from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.voucher_order_status import VoucherOrderStatus
from ..types import UNSET, Unset
from typing import cast

if TYPE_CHECKING:
    from ..models.created_voucher_order_replacements_item import CreatedVoucherOrderReplacementsItem
    from ..models.created_voucher_order_replaces import CreatedVoucherOrderReplaces
    from ..models.voucher import Voucher


T = TypeVar("T", bound="CreatedVoucherOrder")


@_attrs_define
class CreatedVoucherOrder:
    """The response to a voucher order request.

    Attributes:
        id (int): The order.
        product_id (int): The product.
        product_name (str): Its name.
        denomination (float): Face value of one voucher.
        quantity (int): The number of vouchers.
        discount (float): The discount, in the product's currency.
        amount (float): Face value times quantity, in the product's currency.
        status (VoucherOrderStatus): The state of the order.
        base_currency (str): The product's currency.
        deduction_currency (str): The wallet's currency.
        charged_amount (float): The debited amount; 0 if nothing was debited.
        charged_currency (str): The wallet's currency.
        refunded_amount (float): The sum of all credited refunds; 0 until one is credited.
        message (str): The state of the order, for people.
        wallet_id (int): The wallet that pays.
        client_reference (str | Unset): Your name for the order; omitted if you gave none.
        email (str | Unset): The delivery email; omitted if there is none.
        refund_transaction_id (int | Unset): The transaction of the first refund; omitted until there is one.
        replaces (CreatedVoucherOrderReplaces | Unset): The unit that the order replaces; omitted if it replaces none.
        replacements (list[CreatedVoucherOrderReplacementsItem] | Unset): The orders that replace units of this order;
            omitted if there are none.
        vouchers (list[Voucher] | Unset): The delivered vouchers. Empty while the order is PENDING. Omitted for keys
            without the scope `codes`.
        failure_code (str | Unset): Why the order failed, for programs.
        failure_reason (str | Unset): Why the order failed, for the customer.
        is_user_fixable (bool | Unset): Whether a corrected order can succeed.
    """

    id: int
    product_id: int
    product_name: str
    denomination: float
    quantity: int
    discount: float
    amount: float
    status: VoucherOrderStatus
    base_currency: str
    deduction_currency: str
    charged_amount: float
    charged_currency: str
    refunded_amount: float
    message: str
    wallet_id: int
    client_reference: str | Unset = UNSET
    email: str | Unset = UNSET
    refund_transaction_id: int | Unset = UNSET
    replaces: CreatedVoucherOrderReplaces | Unset = UNSET
    replacements: list[CreatedVoucherOrderReplacementsItem] | Unset = UNSET
    vouchers: list[Voucher] | Unset = UNSET
    failure_code: str | Unset = UNSET
    failure_reason: str | Unset = UNSET
    is_user_fixable: bool | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.created_voucher_order_replacements_item import CreatedVoucherOrderReplacementsItem  # noqa: PLC0415
        from ..models.created_voucher_order_replaces import CreatedVoucherOrderReplaces  # noqa: PLC0415
        from ..models.voucher import Voucher  # noqa: PLC0415

        id = self.id

        product_id = self.product_id

        product_name = self.product_name

        denomination = self.denomination

        quantity = self.quantity

        discount = self.discount

        amount = self.amount

        status = self.status.value

        base_currency = self.base_currency

        deduction_currency = self.deduction_currency

        charged_amount = self.charged_amount

        charged_currency = self.charged_currency

        refunded_amount = self.refunded_amount

        message = self.message

        wallet_id = self.wallet_id

        client_reference = self.client_reference

        email = self.email

        refund_transaction_id = self.refund_transaction_id

        replaces: dict[str, Any] | Unset = UNSET
        if not isinstance(self.replaces, Unset):
            replaces = self.replaces.to_dict()

        replacements: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.replacements, Unset):
            replacements = []
            for replacements_item_data in self.replacements:
                replacements_item = replacements_item_data.to_dict()
                replacements.append(replacements_item)

        vouchers: list[dict[str, Any]] | Unset = UNSET
        if not isinstance(self.vouchers, Unset):
            vouchers = []
            for vouchers_item_data in self.vouchers:
                vouchers_item = vouchers_item_data.to_dict()
                vouchers.append(vouchers_item)

        failure_code = self.failure_code

        failure_reason = self.failure_reason

        is_user_fixable = self.is_user_fixable

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "id": id,
                "product_id": product_id,
                "product_name": product_name,
                "denomination": denomination,
                "quantity": quantity,
                "discount": discount,
                "amount": amount,
                "status": status,
                "base_currency": base_currency,
                "deduction_currency": deduction_currency,
                "charged_amount": charged_amount,
                "charged_currency": charged_currency,
                "refunded_amount": refunded_amount,
                "message": message,
                "wallet_id": wallet_id,
            }
        )
        if client_reference is not UNSET:
            field_dict["client_reference"] = client_reference
        if email is not UNSET:
            field_dict["email"] = email
        if refund_transaction_id is not UNSET:
            field_dict["refund_transaction_id"] = refund_transaction_id
        if replaces is not UNSET:
            field_dict["replaces"] = replaces
        if replacements is not UNSET:
            field_dict["replacements"] = replacements
        if vouchers is not UNSET:
            field_dict["vouchers"] = vouchers
        if failure_code is not UNSET:
            field_dict["failure_code"] = failure_code
        if failure_reason is not UNSET:
            field_dict["failure_reason"] = failure_reason
        if is_user_fixable is not UNSET:
            field_dict["is_user_fixable"] = is_user_fixable

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.created_voucher_order_replacements_item import CreatedVoucherOrderReplacementsItem  # noqa: PLC0415
        from ..models.created_voucher_order_replaces import CreatedVoucherOrderReplaces  # noqa: PLC0415
        from ..models.voucher import Voucher  # noqa: PLC0415

        d = dict(src_dict)
        id = d.pop("id")

        product_id = d.pop("product_id")

        product_name = d.pop("product_name")

        denomination = d.pop("denomination")

        quantity = d.pop("quantity")

        discount = d.pop("discount")

        amount = d.pop("amount")

        status = VoucherOrderStatus(d.pop("status"))

        base_currency = d.pop("base_currency")

        deduction_currency = d.pop("deduction_currency")

        charged_amount = d.pop("charged_amount")

        charged_currency = d.pop("charged_currency")

        refunded_amount = d.pop("refunded_amount")

        message = d.pop("message")

        wallet_id = d.pop("wallet_id")

        client_reference = d.pop("client_reference", UNSET)

        email = d.pop("email", UNSET)

        refund_transaction_id = d.pop("refund_transaction_id", UNSET)

        _replaces = d.pop("replaces", UNSET)
        replaces: CreatedVoucherOrderReplaces | Unset
        if isinstance(_replaces, Unset):
            replaces = UNSET
        else:
            replaces = CreatedVoucherOrderReplaces.from_dict(_replaces)

        _replacements = d.pop("replacements", UNSET)
        replacements: list[CreatedVoucherOrderReplacementsItem] | Unset = UNSET
        if _replacements is not UNSET:
            replacements = []
            for replacements_item_data in _replacements:
                replacements_item = CreatedVoucherOrderReplacementsItem.from_dict(replacements_item_data)

                replacements.append(replacements_item)

        _vouchers = d.pop("vouchers", UNSET)
        vouchers: list[Voucher] | Unset = UNSET
        if _vouchers is not UNSET:
            vouchers = []
            for vouchers_item_data in _vouchers:
                vouchers_item = Voucher.from_dict(vouchers_item_data)

                vouchers.append(vouchers_item)

        failure_code = d.pop("failure_code", UNSET)

        failure_reason = d.pop("failure_reason", UNSET)

        is_user_fixable = d.pop("is_user_fixable", UNSET)

        created_voucher_order = cls(
            id=id,
            product_id=product_id,
            product_name=product_name,
            denomination=denomination,
            quantity=quantity,
            discount=discount,
            amount=amount,
            status=status,
            base_currency=base_currency,
            deduction_currency=deduction_currency,
            charged_amount=charged_amount,
            charged_currency=charged_currency,
            refunded_amount=refunded_amount,
            message=message,
            wallet_id=wallet_id,
            client_reference=client_reference,
            email=email,
            refund_transaction_id=refund_transaction_id,
            replaces=replaces,
            replacements=replacements,
            vouchers=vouchers,
            failure_code=failure_code,
            failure_reason=failure_reason,
            is_user_fixable=is_user_fixable,
        )

        created_voucher_order.additional_properties = d
        return created_voucher_order

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
