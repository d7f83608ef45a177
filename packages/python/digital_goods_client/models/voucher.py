from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from typing import cast
import datetime


T = TypeVar("T", bound="Voucher")


@_attrs_define
class Voucher:
    """One voucher. Its fields depend on the product.

    Attributes:
        card_number (None | str): The code.
        pin_code (None | str): Its PIN.
        claim_url (None | str): The URL to claim it.
        expires_at (datetime.datetime | None): When it expires.
        voucher_reference_number (None | str): The issuer's reference number.
    """

    card_number: None | str
    pin_code: None | str
    claim_url: None | str
    expires_at: datetime.datetime | None
    voucher_reference_number: None | str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        card_number: None | str
        card_number = self.card_number

        pin_code: None | str
        pin_code = self.pin_code

        claim_url: None | str
        claim_url = self.claim_url

        expires_at: None | str
        if isinstance(self.expires_at, datetime.datetime):
            expires_at = self.expires_at.isoformat()
        else:
            expires_at = self.expires_at

        voucher_reference_number: None | str
        voucher_reference_number = self.voucher_reference_number

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "card_number": card_number,
                "pin_code": pin_code,
                "claim_url": claim_url,
                "expires_at": expires_at,
                "voucher_reference_number": voucher_reference_number,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_card_number(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        card_number = _parse_card_number(d.pop("card_number"))

        def _parse_pin_code(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        pin_code = _parse_pin_code(d.pop("pin_code"))

        def _parse_claim_url(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        claim_url = _parse_claim_url(d.pop("claim_url"))

        def _parse_expires_at(data: object) -> datetime.datetime | None:
            if data is None:
                return data
            try:
                if not isinstance(data, str):
                    raise TypeError()
                expires_at_type_0 = datetime.datetime.fromisoformat(data)

                return expires_at_type_0
            except (TypeError, ValueError, AttributeError, KeyError):
                pass
            return cast(datetime.datetime | None, data)

        expires_at = _parse_expires_at(d.pop("expires_at"))

        def _parse_voucher_reference_number(data: object) -> None | str:
            if data is None:
                return data
            return cast(None | str, data)

        voucher_reference_number = _parse_voucher_reference_number(d.pop("voucher_reference_number"))

        voucher = cls(
            card_number=card_number,
            pin_code=pin_code,
            claim_url=claim_url,
            expires_at=expires_at,
            voucher_reference_number=voucher_reference_number,
        )

        voucher.additional_properties = d
        return voucher

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
