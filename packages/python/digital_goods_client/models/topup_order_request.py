from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..types import UNSET, Unset
from typing import cast

if TYPE_CHECKING:
    from ..models.topup_order_request_input_data_type_0 import TopupOrderRequestInputDataType0


T = TypeVar("T", bound="TopupOrderRequest")


@_attrs_define
class TopupOrderRequest:
    """
    Attributes:
        product_id (int): The product.
        amount (float): Selects the variant: one of its fixed amounts, or an amount within its bounds.
        wallet_id (int | None | Unset): The wallet that pays. Default: the one in the currency of the variant, else your
            default wallet.
        client_reference (None | str | Unset): Your name for the order, unique among all your orders. A second order
            request with it is rejected.
        redeem_voucher_code (None | str | Unset): The `card_number` of one of your redeemable vouchers, which pays
            instead of the wallet. The wallet pays only if the field is absent or null.
        category (None | str | Unset): Selects a variant of this category.
        input_data (None | TopupOrderRequestInputDataType0 | Unset): The customer's input: a value for each `field_name`
            of the product's `input_fields`.
    """

    product_id: int
    amount: float
    wallet_id: int | None | Unset = UNSET
    client_reference: None | str | Unset = UNSET
    redeem_voucher_code: None | str | Unset = UNSET
    category: None | str | Unset = UNSET
    input_data: None | TopupOrderRequestInputDataType0 | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        from ..models.topup_order_request_input_data_type_0 import TopupOrderRequestInputDataType0  # noqa: PLC0415

        product_id = self.product_id

        amount = self.amount

        wallet_id: int | None | Unset
        if isinstance(self.wallet_id, Unset):
            wallet_id = UNSET
        else:
            wallet_id = self.wallet_id

        client_reference: None | str | Unset
        if isinstance(self.client_reference, Unset):
            client_reference = UNSET
        else:
            client_reference = self.client_reference

        redeem_voucher_code: None | str | Unset
        if isinstance(self.redeem_voucher_code, Unset):
            redeem_voucher_code = UNSET
        else:
            redeem_voucher_code = self.redeem_voucher_code

        category: None | str | Unset
        if isinstance(self.category, Unset):
            category = UNSET
        else:
            category = self.category

        input_data: dict[str, Any] | None | Unset
        if isinstance(self.input_data, Unset):
            input_data = UNSET
        elif isinstance(self.input_data, TopupOrderRequestInputDataType0):
            input_data = self.input_data.to_dict()
        else:
            input_data = self.input_data

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "product_id": product_id,
                "amount": amount,
            }
        )
        if wallet_id is not UNSET:
            field_dict["wallet_id"] = wallet_id
        if client_reference is not UNSET:
            field_dict["client_reference"] = client_reference
        if redeem_voucher_code is not UNSET:
            field_dict["redeem_voucher_code"] = redeem_voucher_code
        if category is not UNSET:
            field_dict["category"] = category
        if input_data is not UNSET:
            field_dict["input_data"] = input_data

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.topup_order_request_input_data_type_0 import TopupOrderRequestInputDataType0  # noqa: PLC0415

        d = dict(src_dict)
        product_id = d.pop("product_id")

        amount = d.pop("amount")

        def _parse_wallet_id(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        wallet_id = _parse_wallet_id(d.pop("wallet_id", UNSET))

        def _parse_client_reference(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        client_reference = _parse_client_reference(d.pop("client_reference", UNSET))

        def _parse_redeem_voucher_code(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        redeem_voucher_code = _parse_redeem_voucher_code(d.pop("redeem_voucher_code", UNSET))

        def _parse_category(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        category = _parse_category(d.pop("category", UNSET))

        def _parse_input_data(data: object) -> None | TopupOrderRequestInputDataType0 | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            try:
                if not isinstance(data, dict):
                    raise TypeError()
                input_data_type_0 = TopupOrderRequestInputDataType0.from_dict(data)

                return input_data_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(None | TopupOrderRequestInputDataType0 | Unset, data)

        input_data = _parse_input_data(d.pop("input_data", UNSET))

        topup_order_request = cls(
            product_id=product_id,
            amount=amount,
            wallet_id=wallet_id,
            client_reference=client_reference,
            redeem_voucher_code=redeem_voucher_code,
            category=category,
            input_data=input_data,
        )

        topup_order_request.additional_properties = d
        return topup_order_request

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
