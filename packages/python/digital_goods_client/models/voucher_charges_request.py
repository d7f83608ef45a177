from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..types import UNSET, Unset
from typing import cast


T = TypeVar("T", bound="VoucherChargesRequest")


@_attrs_define
class VoucherChargesRequest:
    """
    Attributes:
        denomination (float): Face value of one voucher: a value that the product offers.
        quantity (int): The number of vouchers, up to the `max_quantity` of the charges. More than 5 are delivered in
            the background.
        wallet_id (int | None | Unset): The wallet that pays. Default: the one in the product's currency.
    """

    denomination: float
    quantity: int
    wallet_id: int | None | Unset = UNSET
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        denomination = self.denomination

        quantity = self.quantity

        wallet_id: int | None | Unset
        if isinstance(self.wallet_id, Unset):
            wallet_id = UNSET
        else:
            wallet_id = self.wallet_id

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "denomination": denomination,
                "quantity": quantity,
            }
        )
        if wallet_id is not UNSET:
            field_dict["wallet_id"] = wallet_id

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        denomination = d.pop("denomination")

        quantity = d.pop("quantity")

        def _parse_wallet_id(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        wallet_id = _parse_wallet_id(d.pop("wallet_id", UNSET))

        voucher_charges_request = cls(
            denomination=denomination,
            quantity=quantity,
            wallet_id=wallet_id,
        )

        voucher_charges_request.additional_properties = d
        return voucher_charges_request

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
