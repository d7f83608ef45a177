from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, BinaryIO, TextIO, TYPE_CHECKING, Generator

from attrs import define as _attrs_define
from attrs import field as _attrs_field

from ..types import UNSET, Unset

from ..models.voucher_claim_request_kind import VoucherClaimRequestKind


T = TypeVar("T", bound="VoucherClaimRequest")


@_attrs_define
class VoucherClaimRequest:
    """
    Attributes:
        kind (VoucherClaimRequestKind): What is wrong with the goods.
        unit (int): The unit of the voucher order, from 1.
        text (str): What happened, in your words. Name no other customer.
    """

    kind: VoucherClaimRequestKind
    unit: int
    text: str
    additional_properties: dict[str, Any] = _attrs_field(init=False, factory=dict)

    def to_dict(self) -> dict[str, Any]:
        kind = self.kind.value

        unit = self.unit

        text = self.text

        field_dict: dict[str, Any] = {}
        field_dict.update(self.additional_properties)
        field_dict.update(
            {
                "kind": kind,
                "unit": unit,
                "text": text,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        kind = VoucherClaimRequestKind(d.pop("kind"))

        unit = d.pop("unit")

        text = d.pop("text")

        voucher_claim_request = cls(
            kind=kind,
            unit=unit,
            text=text,
        )

        voucher_claim_request.additional_properties = d
        return voucher_claim_request

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
