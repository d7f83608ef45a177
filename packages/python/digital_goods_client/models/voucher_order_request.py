from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..types import UNSET, Unset
from typing import cast


T = TypeVar("T", bound="VoucherOrderRequest")


@_attrs_define
class VoucherOrderRequest:
    """
    Attributes:
        product_id (int): The product.
        denomination (float): Face value of one voucher: a value that the product offers.
        quantity (int): The number of vouchers, up to the `max_quantity` of the charges. More than 5 are delivered in
            the background.
        wallet_id (int | None | Unset): The wallet that pays. Default: the one in the product's currency.
        client_reference (None | str | Unset): Your name for the order, unique among all your orders. A second order
            request with it is rejected.
        email (None | str | Unset): An address that gets one email when the order ends.
        redeem_voucher_code (None | str | Unset): Leave it out: only a wallet pays for vouchers.
    """

    product_id: int
    denomination: float
    quantity: int
    wallet_id: int | None | Unset = UNSET
    client_reference: None | str | Unset = UNSET
    email: None | str | Unset = UNSET
    redeem_voucher_code: None | str | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        product_id = self.product_id

        denomination = self.denomination

        quantity = self.quantity

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

        email: None | str | Unset
        if isinstance(self.email, Unset):
            email = UNSET
        else:
            email = self.email

        redeem_voucher_code: None | str | Unset
        if isinstance(self.redeem_voucher_code, Unset):
            redeem_voucher_code = UNSET
        else:
            redeem_voucher_code = self.redeem_voucher_code

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "product_id": product_id,
                "denomination": denomination,
                "quantity": quantity,
            }
        )
        if wallet_id is not UNSET:
            field_dict["wallet_id"] = wallet_id
        if client_reference is not UNSET:
            field_dict["client_reference"] = client_reference
        if email is not UNSET:
            field_dict["email"] = email
        if redeem_voucher_code is not UNSET:
            field_dict["redeem_voucher_code"] = redeem_voucher_code

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        product_id = d.pop("product_id")

        denomination = d.pop("denomination")

        quantity = d.pop("quantity")

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

        def _parse_email(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        email = _parse_email(d.pop("email", UNSET))

        def _parse_redeem_voucher_code(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        redeem_voucher_code = _parse_redeem_voucher_code(d.pop("redeem_voucher_code", UNSET))

        voucher_order_request = cls(
            product_id=product_id,
            denomination=denomination,
            quantity=quantity,
            wallet_id=wallet_id,
            client_reference=client_reference,
            email=email,
            redeem_voucher_code=redeem_voucher_code,
        )

        voucher_order_request.additional_properties = d
        return voucher_order_request

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
